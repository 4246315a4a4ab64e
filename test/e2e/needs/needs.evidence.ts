import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
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
    enter: typed('please decide it'),
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
      // The watcher, which keeps the line, ends with the last session.
      await chat('start', 'other', '--cmd', 'cat', '--detach')
      const [row] = JSON.parse(await chat('status', 'frontend', '--json')).sessions
      expect(row.alive).toBe('alive')
      const { frontend } = JSON.parse(readFileSync(process.env.AC_SESSIONS ?? '', 'utf8'))
      process.kill(frontend.agent.pid, 'SIGKILL')
    },
  },
]

/** How long after the state began each surface had its row. In milliseconds. */
type Seen = { json: number; who: number; line: number; console: number }

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

async function measure({ name, enter, shows, reason }: State): Promise<Seen> {
  const at = await seat()
  const view = await openConsole(at)
  await enter(at)
  if (shows) await at.pane.waitFor(shows)
  const began = performance.now()
  const since = (what: string, look: () => Promise<boolean>) =>
    eventually(`${name}: ${what}`, look, { state: () => at.chat('--json') }).then(() =>
      Math.round(performance.now() - began),
    )
  const has = async (...args: string[]) =>
    JSON.parse(await at.chat(...args)).needs_you.some(
      (row: { reason: string; session: string }) =>
        row.reason === reason && row.session === 'frontend',
    )
  const [json, who, line, onScreen] = await Promise.all([
    since('--json', () => has('--json')),
    since('who --json', () => has('who', '--json')),
    since('who --line', async () => /need/.test(await at.chat('who', '--line'))),
    since('the console', async () => /▶ \d+ needs? you/.test(await view.screen())),
  ])
  return { json, who, line, console: onScreen }
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
  const lines = [
    '| state | `agent-chat --json` | `who --json` | `who --line` | console |',
    '|---|---|---|---|---|',
  ]
  for (const state of STATES) {
    const all: Seen[] = []
    for (let run = 0; run < runs; run += 1) all.push(await measure(state))
    const of = (key: keyof Seen) => `${median(all.map((seen) => seen[key]))} ms`
    lines.push(`| ${[state.name, of('json'), of('who'), of('line'), of('console')].join(' | ')} |`)
  }
  lines.push(`| the folder’s trust dialog | said by \`start\`: ${await untrusted()} | | | |`)
  if (process.env.AC_NEEDS_SAID) writeFileSync(process.env.AC_NEEDS_SAID, `${lines.join('\n')}\n`)
})
