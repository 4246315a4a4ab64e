import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outcome, ROOT } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'

type Event = Record<string, unknown>
type Hook = ($: unknown, event: Event, next: (event: Event) => Promise<unknown>) => Promise<unknown>
type Drawn = { props?: Record<string, unknown>; children?: unknown[] }

/** A part of the screen: its words, and its buttons by their labels. */
export type Shown = { text: string; buttons: { label: string; press: () => Promise<unknown> }[] }

/**
 * Loads the text of a mod as Claude Code does, in this process, which is its client: files and
 * programs are real, and what it runs has this environment.
 */
export async function loadRoom(text: string, env: Record<string, string>) {
  const file = join(tempDirectory(), 'room.mjs')
  writeFileSync(file, text)
  const hooks = new Map<string, Hook>()
  const on = (event: string, ...rest: unknown[]) => {
    const { component, command } = (rest.length > 1 ? rest[0] : {}) as Record<string, string>
    hooks.set([event, component ?? command].filter(Boolean).join(' '), rest.at(-1) as Hook)
    return { catch: () => {} }
  }
  Object.assign(globalThis, {
    h: (_: unknown, props: Event, ...children: unknown[]) => ({ props, children }),
  })
  const { register } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  register(on)
  const kept = new Map<string, unknown>()
  const toasts: string[] = []
  const $ = {
    plugin: { root: join(ROOT, 'room') },
    ui: {
      resolve: () => ({}),
      open: async () => {},
      log: () => {},
      toast: (line: string) => toasts.push(line),
    },
    fs: {
      read: async (path: string) => readFileSync(path, 'utf8'),
      write: async (path: string, content: string) => writeFileSync(path, content),
      stat: async (path: string) => statSync(path),
      exists: async (path: string) => existsSync(path),
    },
    process: {
      run: ([program = '', ...args]: string[], { stdin = '' }) => ran(program, args, stdin, env),
    },
    clock: { now: async () => Date.now(), every: () => {} },
    command: { register: async () => {} },
    session: { version: async () => ({ version: '2.1.329' }) },
    state: {
      get: async ({ key }: { key: string }) => ({ value: kept.get(key) }),
      set: async ({ key }: { key: string }, value: unknown) => kept.set(key, value),
    },
  }
  /** Tells the mod of an event; `then` is what the client does by itself. */
  const tell = async (event: string, what: Event, then: unknown = undefined) =>
    await hooks.get(event)?.($, what, async () => then)
  const shows = async (component: string): Promise<Shown> =>
    shown(await tell(`ui.render ${component}`, { props: { bodyColumns: 120, maxRows: 3 } }))
  return { tell, shows, toasts }
}

async function ran(program: string, args: string[], stdin: string, env: Record<string, string>) {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(stdin)
  const { code, stdout, stderr } = await outcome(child)
  return { exitCode: code ?? 1, stdout, stderr }
}

function shown(drawn: unknown): Shown {
  if (typeof drawn === 'string') return { text: drawn, buttons: [] }
  const { props = {}, children = [] } = (drawn ?? {}) as Drawn
  const { label, onPress } = props
  const below = children.flat().map(shown)
  const own =
    typeof onPress === 'function' ? [{ label: String(label), press: async () => onPress() }] : []
  return {
    text: below.map(({ text }) => text).join(''),
    buttons: [...own, ...below.flatMap(({ buttons }) => buttons)],
  }
}
