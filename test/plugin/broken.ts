import { chmodSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDirectory } from '../../src/testing/home.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const NODE = process.execPath

/** A copy of the plugin, and a folder with nothing but a `node`. */
export function plugin() {
  const root = join(tempDirectory(), 'plugin')
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(ROOT, part), join(root, part), {
      recursive: true,
      filter: (path) => !path.includes('/dist/.cache'),
    })
  }
  const bin = tempDirectory()
  symlinkSync(NODE, join(bin, 'node'))
  return { root, bin, entry: join(root, 'bin/agent-chat') }
}

export type Plugin = ReturnType<typeof plugin>

/** What goes wrong with it; the variables that the hook gets besides. */
export const TROUBLES: [what: string, does: (it: Plugin) => Record<string, string>][] = [
  ['no Node', ({ bin }) => removed(join(bin, 'node'))],
  ['a PATH that is broken', () => ({ PATH: '/nowhere' })],
  ['no PATH', () => ({ PATH: '' })],
  ['a Node that is too old', ({ bin }) => script(join(bin, 'node'), 'exit 1')],
  ['a Node that is killed', ({ bin }) => script(join(bin, 'node'), 'kill -9 $$')],
  ['a Node that ends with 2', ({ bin }) => script(join(bin, 'node'), 'exit 2')],
  ['line ends of Windows', ({ entry }) => edit(entry, (text) => text.replaceAll('\n', '\r\n'))],
  ['no entry', ({ entry }) => removed(entry)],
  ['half an entry', ({ entry }) => edit(entry, (text) => `${text.slice(0, 400)}\nif [`)],
  ['an empty entry', ({ entry }) => edit(entry, () => '')],
  ['an entry that was cut off', ({ entry }) => edit(entry, (text) => text.slice(0, 90))],
  ['no plugin folder', ({ root }) => removed(root)],
  ['no build', ({ root }) => removed(join(root, 'dist'))],
]

function removed(path: string): Record<string, string> {
  rmSync(path, { recursive: true })
  return {}
}

function script(path: string, line: string): Record<string, string> {
  rmSync(path)
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
  return {}
}

function edit(path: string, change: (text: string) => string): Record<string, string> {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return {}
}
