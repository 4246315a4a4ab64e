import type { Engine } from './engine.ts'
import { VIEW, type View } from './view.ts'

const RUN_MS = 10_000

/** What the mod knows by itself; gone when the client loads it again. */
export const own = {
  cli: 'agent-chat',
  client: '',
  home: '',
  pid: 0,
  seen: '',
  history: '',
  list: '',
  shown: '',
  looks: 0,
  looking: false,
  pane: undefined as string | undefined,
  typed: 0,
  told: undefined as Set<string> | undefined,
  view: undefined as View | undefined,
}

/** Runs the command line. */
export function run($: Engine, argv: string[], stdin = ''): ReturnType<Engine['process']['run']> {
  return $.process.run([own.cli, ...argv], { stdin, timeoutMs: RUN_MS })
}

export async function show($: Engine, view: View): Promise<void> {
  own.view = view
  await $.state.set(VIEW, view)
}

/** Whether the home knows this room. One that was removed must not come back by a note. */
export async function isNoted($: Engine): Promise<boolean> {
  return own.pid !== 0 && (await $.fs.exists(`${own.home}/rooms/${own.pid}.json`))
}

/** Whose files the belt reads; undefined where this client is no session. */
export function ownFiles(): { state: string; judged: string } | undefined {
  const name = own.view?.name
  if (!name || own.pid === 0) return undefined
  return {
    state: `${own.home}/state/${name}.json`,
    judged: `${own.home}/rooms/${own.pid}.judged`,
  }
}
