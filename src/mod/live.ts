import type { RoomNow } from '../chat/room/now.ts'
import { promptKey, type Witness } from '../session/witness.ts'
import type { Engine, PromptEvent, StartEvent } from './engine.ts'
import { VIEW, type View } from './view.ts'

/** The home is looked at so often; a process is started only where something has changed. */
const LOOK_MS = 1000
/** Where the history has not changed, the rest is looked at so often: it may have failed to. */
const FULL_LOOKS = 5
/** The age of what is shown grows: it is drawn again so often. */
const AGE_LOOKS = 30
const RUN_MS = 10_000

/** What the mod knows by itself; gone when the client loads it again. */
const own = {
  cli: 'agent-chat',
  client: '',
  home: '',
  pid: 0,
  seen: '',
  history: '',
  shown: '',
  looks: 0,
  looking: false,
  pane: undefined as string | undefined,
  typed: 0,
  told: undefined as Set<string> | undefined,
  view: undefined as View | undefined,
}

/** Finds the command line, notes that the room runs, and begins to look where it can be drawn. */
export async function begin($: Engine, e: StartEvent): Promise<void> {
  own.cli = await findCli($)
  own.client = (await $.session.version()).version
  await look($)
  if (!e.isInteractive) return
  await $.command.register({ name: 'room', description: 'Sessions, messages and decisions' })
  $.clock.every(LOOK_MS, () => {
    void tick($)
  })
}

/** The clone that the launcher gave, the plugin beside this one where both are installed, or PATH. */
async function findCli($: Engine): Promise<string> {
  const root = $.plugin.root
  const version = root.split('/').pop() ?? ''
  for (const path of [
    `${root}/../bin/agent-chat`,
    `${root}/../../agent-chat/${version}/bin/agent-chat`,
  ])
    if (await $.fs.exists(path)) return path
  return 'agent-chat'
}

/** Notes where a prompt came from, before its turn: the gate closes what no person began. */
export async function witness($: Engine, { text, origin }: PromptEvent): Promise<void> {
  if (!(await isNoted($))) return
  const at = await $.clock.now()
  if (origin.kind === 'composer') own.typed = at
  const note: Witness = { kind: origin.kind, key: promptKey(text), at, typed: own.typed }
  await $.fs.write(`${own.home}/rooms/${own.pid}.prompt`, JSON.stringify(note))
  await $.fs.write(`${own.home}/rooms/${own.pid}.judged`, '')
}

/** Whether the home knows this room. One that was removed must not come back by a note. */
async function isNoted($: Engine): Promise<boolean> {
  return own.pid !== 0 && (await $.fs.exists(`${own.home}/rooms/${own.pid}.json`))
}

/** The user pressed Escape: nobody has to wait for the end of this turn any more. */
export async function ended($: Engine): Promise<void> {
  const name = own.view?.name
  if (!name || !(await isNoted($))) return
  const at = await $.clock.now()
  // The client tells of a bell 600 ms later: it is rung at once, and the state is right by then.
  await $.fs.write(`${own.home}/bells/${name}/again`, '')
  await run($, ['room', 'ended', String(at)])
}

export async function openPane($: Engine): Promise<unknown> {
  own.pane = own.pane ?? '-'
  await look($)
  await $.ui.open({
    ...{ id: 'room', title: 'agent-chat', focus: true, closeOnEscape: true },
    ...{ rows: 16, columns: 56 },
  })
  return { text: 'The room is open. Esc closes it.' }
}

/** Shows the conversation of another session in the pane. */
export async function choose($: Engine, name: string): Promise<void> {
  own.pane = name
  await look($)
}

/** What a person pressed or wrote: the command line does it, as theirs. */
export async function act($: Engine, press: Record<string, string>): Promise<void> {
  const { exitCode, stderr } = await run($, ['room', 'press', '--json'], JSON.stringify(press))
  if (exitCode !== 0) $.ui.toast(reasonIn(stderr), { timeoutMs: 8000 })
  await look($)
}

function reasonIn(stderr: string): string {
  const line = stderr.split('\n').find((text) => text.startsWith('{'))
  const error = line === undefined ? undefined : JSON.parse(line).error
  return typeof error?.message === 'string' ? error.message : 'agent-chat did not answer'
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

async function tick($: Engine): Promise<void> {
  if (own.looking) return
  own.looks += 1
  const due = own.looks % FULL_LOOKS === 0
  const history = await timeOf($, 'history.log')
  if (history !== own.history || due) {
    // Whatever happens in a home is in its history; a pane shows all of it at once.
    const { view, pane } = own
    if (pane !== undefined || (due && view && view.questions.length > 0)) own.shown = history
    own.history = history
    const seen = `${await signature($)} ${own.shown}`
    if (seen !== own.seen) {
      own.seen = seen
      return look($)
    }
  }
  if (own.looks % AGE_LOOKS === 0 && own.view && shows(own.view))
    await show($, { ...own.view, at: await $.clock.now() })
}

function shows({ unread, questions }: RoomNow): boolean {
  return unread > 0 || questions.length > 0
}

/** Changes whenever something that is shown may have. */
async function signature($: Engine): Promise<string> {
  const name = own.view?.name
  const inboxes = name ? [`inbox/${name}`, 'inbox/human'] : []
  const states = own.pane === undefined ? [] : ['state']
  const times: string[] = []
  for (const path of ['sessions.json', ...inboxes, ...states]) times.push(await timeOf($, path))
  return times.join(' ')
}

async function timeOf($: Engine, path: string): Promise<string> {
  try {
    return String((await $.fs.stat(`${own.home}/${path}`)).mtimeMs)
  } catch {
    return '-'
  }
}

/** Asks the command line what there is to show. */
async function look($: Engine): Promise<void> {
  own.looking = true
  try {
    const begin = own.pid === 0 ? ['--begin', own.client] : []
    const pane = own.pane === undefined ? [] : ['--pane', own.pane]
    const { exitCode, stdout } = await run($, ['room', 'look', ...begin, ...pane])
    if (exitCode !== 0) return
    const now = JSON.parse(stdout) as RoomNow & { home: string; pid?: number }
    own.home = now.home
    own.pid = now.pid ?? own.pid
    tell($, now)
    await show($, { ...now, at: await $.clock.now(), peer: now.pane?.peer ?? null })
  } finally {
    own.looking = false
  }
}

async function show($: Engine, view: View): Promise<void> {
  own.view = view
  await $.state.set(VIEW, view)
}

/** One toast for a new question, where the person typed last. */
function tell($: Engine, { questions, tells, name }: RoomNow): void {
  const known = own.told
  own.told = new Set(questions.map(({ id }) => id))
  const added = known && questions.find(({ id }) => !known.has(id))
  if (added && tells && name)
    $.ui.toast(`@${added.from} asks you: ${added.title}`, { timeoutMs: 8000 })
}

function run($: Engine, argv: string[], stdin = ''): ReturnType<Engine['process']['run']> {
  return $.process.run([own.cli, ...argv], { stdin, timeoutMs: RUN_MS })
}
