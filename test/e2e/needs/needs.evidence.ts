import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { homeAt } from '../../../src/bus/home.ts'
import { type NeedRow, needRow } from '../../../src/feed/need.ts'
import { filesIn } from '../../../src/testing/home.ts'
import type { Now } from '../../../src/web/wire.ts'
import { liveTab, openedCookie } from '../../web/request.ts'
import { serve } from '../../web/served.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { type ApiRequest, hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const MAIN = join(ROOT, 'dist', 'main.js')

const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'it' } })

function model(request: ApiRequest) {
  if (hears(request, 'please break'))
    return { status: 400, error: 'invalid_request_error', message: 'it cannot be answered' }
  if (hears(request, 'please make')) return bash('touch made-by-it')
  if (hears(request, 'please decide'))
    return bash('agent-chat escalate "Drop it?" --option drop --option keep')
  if (hears(request, 'please plan')) return { text: 'I have a plan.\n\nShall I go ahead?' }
  // What a ring begins with: the message itself has come by the next request.
  if (hears(request, 'Check inbox')) return bash('agent-chat inbox')
  return { text: 'noted' }
}

/** A state of a session: what brings it there, what its screen shows then, and its reason. */
type State = {
  name: string
  reason: string
  enter: (seat: Seat) => Promise<void>
  shows?: RegExp
}

type Seat = { world: World; pane: Pane; chat: (...args: string[]) => Promise<string> }

const typed =
  (text: string) =>
  ({ pane }: Seat) =>
    pane.submit(text)
const DIALOG = /Do you want to proceed/

const STATES: State[] = [
  {
    name: 'our dialog, in a turn of a message',
    reason: 'permission',
    enter: async ({ chat }) => {
      await chat('send', '@frontend', 'please make it', '--as', 'backend')
    },
    shows: DIALOG,
  },
  {
    name: "the client's own dialog, in your turn",
    reason: 'permission',
    enter: typed('please make it'),
    shows: DIALOG,
  },
  {
    name: 'a turn that ended with a question',
    reason: 'question',
    enter: typed('please plan it'),
    shows: /Shall I go ahead\?/,
  },
  {
    name: 'a decision',
    reason: 'decision',
    enter: async ({ world, pane }) => {
      await pane.submit('please decide it')
      const inbox = join(world.chat, 'inbox', 'human')
      await eventually('the decision', () => filesIn(inbox).some((file) => file.endsWith('.md')))
    },
  },
  {
    name: 'a turn that ended by an API error',
    reason: 'failed',
    enter: typed('please break it'),
    shows: /cannot be answered/,
  },
  {
    name: 'an agent that was killed',
    reason: 'failed',
    enter: async ({ chat }) => {
      const [row] = JSON.parse(await chat('status', 'frontend', '--json')).sessions
      expect(row.alive).toBe('alive')
      const { frontend } = JSON.parse(readFileSync(process.env.AC_SESSIONS ?? '', 'utf8'))
      process.kill(frontend.agent.pid, 'SIGKILL')
    },
  },
]

const SURFACES = {
  json: '`agent-chat --json`',
  who: '`who --json`',
  line: '`who --line`',
  console: 'console',
  web: 'web console',
  panel: 'panel',
} as const
/** How long after the state began each surface had its row. In milliseconds. */
type Seen = Record<keyof typeof SURFACES, number>

async function seat(): Promise<Seat> {
  const world = await worldForTest({ rule: model })
  const env = {
    ...world.env,
    AGENT_CHAT_NOTIFY: 'off',
    PATH: `${join(ROOT, 'bin')}:${dirname(world.claude)}:${world.env.PATH}`,
  }
  const chat = async (...args: string[]) =>
    (await promisify(execFile)(RUNTIME, [MAIN, ...args], { env, cwd: world.cwd })).stdout
  // Without the skill, the client asks before it escalates.
  const rule = ['--allowedTools', 'Bash(agent-chat escalate:*)']
  await chat('start', 'frontend', '--detach', '--', '--permission-mode', 'manual', ...rule)
  process.env.AC_SESSIONS = join(world.chat, 'sessions.json')
  const { frontend } = JSON.parse(readFileSync(process.env.AC_SESSIONS, 'utf8'))
  const pane = world.tmux.pane(frontend.pane)
  await pane.waitFor(/❯/)
  return { world, pane, chat }
}

async function openConsole({ world }: Seat): Promise<Pane> {
  const env = { ...world.env, AGENT_CHAT_NOTIFY: 'off' }
  const pane = await world.tmux.newSession({
    argv: [RUNTIME, MAIN, 'console'],
    env,
    cwd: world.cwd,
    width: 120,
    height: 36,
  })
  await pane.waitFor(/@frontend/)
  return pane
}

/** What the web console has told a tab last: who needs you. */
async function openWeb({ world }: Seat): Promise<() => NeedRow[]> {
  const served = await serve(homeAt(world.chat))
  onTestFinished(() => served.kill('SIGTERM'))
  const tab = await liveTab(served, await openedCookie(served))
  return () => {
    const now = tab.events.findLast(({ event }) => event === 'now')?.data as Now
    return now.needs.map(needRow)
  }
}

/** The panel of another session: what is in one's own pane is not in its band. */
async function openPanel({ world, chat }: Seat): Promise<Pane> {
  await chat('start', 'observer', '--detach', '--', '--permission-mode', 'manual')
  const { observer } = JSON.parse(readFileSync(process.env.AC_SESSIONS ?? '', 'utf8'))
  const pane = world.tmux.pane(observer.pane)
  await pane.waitFor(/❯/)
  const { pid } = observer.agent
  await eventually('the panel', () => existsSync(join(world.chat, 'rooms', `${pid}.json`)))
  return pane
}

async function measure({ name, enter, shows, reason }: State): Promise<Seen> {
  const at = await seat()
  const [view, web, panel] = [await openConsole(at), await openWeb(at), await openPanel(at)]
  await enter(at)
  if (shows) await at.pane.waitFor(shows)
  const began = performance.now()
  const isIt = (row: NeedRow) => row.reason === reason && row.session === 'frontend'
  const has = async (...args: string[]) => JSON.parse(await at.chat(...args)).needs_you.some(isIt)
  const looks: Record<keyof Seen, () => Promise<boolean>> = {
    json: () => has('--json'),
    who: () => has('who', '--json'),
    line: async () => /need/.test(await at.chat('who', '--line')),
    console: async () => /▶ \d+ needs? you/.test(await view.screen()),
    web: async () => web().some(isIt),
    panel: async () => /\? @frontend /.test(await panel.screen()),
  }
  const seen = { json: 0, who: 0, line: 0, console: 0, web: 0, panel: 0 }
  await Promise.all(
    keysOf(looks).map(async (key) => {
      await eventually(`${name}: ${key}`, looks[key], { state: () => at.chat('--json') })
      seen[key] = Math.round(performance.now() - began)
    }),
  )
  return seen
}

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of) as (keyof T)[]
}

/** A folder that Claude Code does not trust yet: `start` says so. */
async function untrusted(): Promise<string> {
  const { world, chat } = await seat()
  const folder = join(world.dir, 'untrusted')
  await mkdir(folder)
  const env = { ...world.env, PATH: `${dirname(world.claude)}:${world.env.PATH}` }
  const { stdout, stderr } = await promisify(execFile)(
    RUNTIME,
    [MAIN, 'start', 'docs', '--detach'],
    { env, cwd: folder },
  )
  expect(stdout + stderr).toContain('@docs waits for you to trust this folder')
  const rows = JSON.parse(await chat('--json')).needs_you
  expect(rows).toMatchObject([{ session: 'docs', reason: 'trust' }])
  return rows[0].what
}

const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

test('each state in which somebody cannot go on is on every surface', async () => {
  const runs = Number(process.env.AC_NEEDS_RUNS ?? 1)
  const cells = (all: string[]) => `| ${all.join(' | ')} |`
  const keys = keysOf(SURFACES)
  const lines = [cells(['state', ...Object.values(SURFACES)]), cells(Array(7).fill('---'))]
  for (const state of STATES) {
    const all: Seen[] = []
    for (let run = 0; run < runs; run += 1) all.push(await measure(state))
    const of = (key: keyof Seen) => `${median(all.map((seen) => seen[key]))} ms`
    lines.push(cells([state.name, ...keys.map(of)]))
  }
  lines.push(`| the folder’s trust dialog | said by \`start\`: ${await untrusted()} | | | | | |`)
  if (process.env.AC_NEEDS_SAID) writeFileSync(process.env.AC_NEEDS_SAID, `${lines.join('\n')}\n`)
})
