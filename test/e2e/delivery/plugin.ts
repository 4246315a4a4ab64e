import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether every session has the room inside Claude Code: `npm run e2e -- --room delivery/cases`. */
export const ROOM = process.env.AGENT_CHAT_E2E_ROOM !== undefined

/** What an installed plugin consists of. */
const PARTS = [
  '.claude-plugin',
  'bin',
  'commands',
  'dist',
  'hooks',
  'package.json',
  'skills',
].concat(ROOM ? ['room'] : [])

/**
 * A copy of the plugin: a build that goes on beside a long run must not change what is measured.
 */
export interface PluginCopy {
  root: string
  /** Another copy, whose bell hook does nothing: native rings never come. */
  deafRoot: string
  remove(): Promise<void>
}

export async function copyPlugin(from: string): Promise<PluginCopy> {
  const dir = await mkdtemp(join(tmpdir(), 'ac-plugin-'))
  const [root, deafRoot] = [join(dir, 'whole'), join(dir, 'deaf')]
  for (const target of [root, deafRoot]) {
    // Kept code comes and goes while others run the same build.
    const filter = (path: string) => !path.includes('/dist/.cache')
    for (const part of PARTS)
      await cp(join(from, part), join(target, part), { recursive: true, filter })
  }
  const hooks = join(deafRoot, 'hooks', 'hooks.json')
  const text = await readFile(hooks, 'utf8')
  const deaf = text.replace(/"--hook",\s*"bell"/, '"--hook", "no-bell"')
  if (deaf === text) throw new Error('the bell hook is not where it was in hooks.json')
  await writeFile(hooks, deaf)
  return { root, deafRoot, remove: () => rm(dir, { recursive: true, force: true }) }
}
