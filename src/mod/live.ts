import type { RoomNow } from '../feed/panel.ts'
import type { Engine, StartEvent } from './engine.ts'
import { needText } from './needs.ts'
import { isNoted, own, run, show } from './own.ts'
import { cut } from './view.ts'

/** The home is looked at so often; a process is started only where something has changed. */
const LOOK_MS = 1000
/** Where the history has not changed, the rest is looked at so often: it may have failed to. */
const FULL_LOOKS = 30
/** Changes with the list of who needs the person: see `noteLine()`. */
const LIST = 'pids/@watcher.line'
/** A question may have ended by something that changes no inbox: it is looked at so often. */
const OPEN_LOOKS = 5
/** The age of what is shown grows: it is drawn again so often. */
const AGE_LOOKS = 30
/** A question is longer in no toast: band and pane have all of it. In cells. */
const TOAST = 160

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
  const isOpen = (own.view?.needs.length ?? 0) > 0
  const due = own.looks % (isOpen ? OPEN_LOOKS : FULL_LOOKS) === 0
  const history = await timeOf($, 'history.log')
  const list = await timeOf($, LIST)
  if (history !== own.history || list !== own.list || due) {
    // Whatever happens in a home is in its history; a pane shows all of it at once.
    if (own.pane !== undefined || (due && isOpen)) own.shown = history
    own.history = history
    own.list = list
    const seen = `${await signature($)} ${own.shown}`
    if (seen !== own.seen) {
      own.seen = seen
      return look($)
    }
  }
  if (own.looks % AGE_LOOKS === 0 && own.view && shows(own.view))
    await show($, { ...own.view, at: await $.clock.now() })
}

function shows({ unread, needs }: RoomNow): boolean {
  return unread > 0 || needs.length > 0
}

/** Changes whenever something that is shown may have. */
async function signature($: Engine): Promise<string> {
  const name = own.view?.name
  const inboxes = name ? [`inbox/${name}`, 'inbox/human'] : []
  const states = own.pane === undefined ? [] : ['state']
  const times: string[] = []
  for (const path of ['sessions.json', LIST, ...inboxes, ...states])
    times.push(await timeOf($, path))
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
    // A command line of an earlier version tells no needs, and of a question its title alone.
    const told = JSON.parse(stdout) as RoomNow & { home: string; pid?: number }
    const questions = told.questions.map((one) => ({ ...one, text: one.text ?? '' }))
    const now = { ...told, questions, needs: told.needs ?? [] }
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

/** One toast for a new question, where the person typed last. The watcher tells of dialogs. */
function tell($: Engine, { needs, tells, name }: RoomNow): void {
  const known = own.told
  own.told = new Set(needs.map(({ key }) => key))
  const added = known && needs.find((need) => 'options' in need && !known.has(need.key))
  if (added && tells && name) $.ui.toast(cut(needText(added), TOAST), { timeoutMs: 8000 })
}
