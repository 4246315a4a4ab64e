import type { RoomNow } from '../chat/room/now.ts'
import type { Engine, StartEvent } from './engine.ts'
import { isNoted, own, run, show } from './own.ts'

/** The home is looked at so often; a process is started only where something has changed. */
const LOOK_MS = 1000
/** Where the history has not changed, the rest is looked at so often: it may have failed to. */
const FULL_LOOKS = 30
/** A question may have ended by something that changes no inbox: it is looked at so often. */
const OPEN_LOOKS = 5
/** The age of what is shown grows: it is drawn again so often. */
const AGE_LOOKS = 30

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

async function tick($: Engine): Promise<void> {
  if (own.looking) return
  own.looks += 1
  // Nothing told yet where the home is: there was none when the session began.
  if (own.home === '') return own.looks % AGE_LOOKS === 0 ? look($) : undefined
  const isOpen = (own.view?.questions.length ?? 0) > 0
  const due = own.looks % (isOpen ? OPEN_LOOKS : FULL_LOOKS) === 0
  const history = await timeOf($, 'history.log')
  if (history !== own.history || due) {
    // Whatever happens in a home is in its history; a pane shows all of it at once.
    if (own.pane !== undefined || (due && isOpen)) own.shown = history
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
export async function look($: Engine): Promise<void> {
  own.looking = true
  try {
    const begin = (await isNoted($)) ? [] : ['--begin', own.client]
    const pane = own.pane === undefined ? [] : ['--pane', own.pane]
    const { exitCode, stdout } = await run($, ['room', 'look', ...begin, ...pane])
    if (exitCode !== 0) return failed($)
    const now = JSON.parse(stdout) as RoomNow & { home: string; pid?: number }
    own.home = now.home
    own.pid = now.pid ?? own.pid
    tell($, now)
    await show($, { ...now, at: await $.clock.now(), peer: now.pane?.peer ?? null })
  } finally {
    own.looking = false
  }
}

/** A home that has gone shows nothing. Any other fault may pass: it is asked again. */
async function failed($: Engine): Promise<void> {
  if ((await timeOf($, 'sessions.json')) !== '-') own.seen = ''
  else if (own.view) await show($, { ...own.view, name: null })
}

/** One toast for a new question, where the person typed last. */
function tell($: Engine, { questions, tells, name }: RoomNow): void {
  const known = own.told
  own.told = new Set(questions.map(({ id }) => id))
  const added = known && questions.find(({ id }) => !known.has(id))
  if (added && tells && name)
    $.ui.toast(`@${added.from} asks you: ${added.title}`, { timeoutMs: 8000 })
}
