import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { escalationNumbers } from '../../src/bus/index/escalations.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { unlink } from '../../src/chat/remote/links.ts'
import { digestOf } from '../../src/system/digest.ts'
import { agentsIn, startAgent } from '../../src/testing/agent.ts'
import { DIST, type Run, runApart, runCli } from '../../src/testing/cli.ts'
import { register, tempDirectory } from '../../src/testing/home.ts'
import { runAsHuman, runInPopup } from '../../src/testing/human.ts'
import { linkWithA } from '../../src/testing/linked.ts'
import { LONGEST_MS } from '../../src/testing/until.ts'
import {
  PLACES,
  type Right,
  rightsOf,
  VERBS_OF_YOURS,
  type Verb,
} from '../../src/trust/human/rights.ts'
import { addSchedule } from '../../src/worker/clock/schedule.ts'
import { wish } from '../../src/worker/supervise/wanted.ts'
import { type Workers, workersWorld } from './world.ts'

/** Gives a command from a place, in the directory of a repository. */
type Give = (...args: string[]) => Promise<Run>

type World = Workers & {
  cwd: string
  /** By the name that the table has for it. */
  from: Record<string, Give>
  /** In which somebody says no. */
  declined: Give
}

/** A home with a session in your turn and one in a message's, and an agent that is none. */
async function rightsWorld(): Promise<World> {
  const world = await workersWorld()
  const { bus, define } = world
  // An agent of these tests takes its commands by the line.
  const { SECRET: _, ...env } = world.env
  symlinkSync('/usr/bin/openssl', join(env.PATH ?? '', 'openssl'))
  const cwd = join(tempDirectory(), 'work')
  mkdirSync(join(cwd, '.agent-chat', 'agents'), { recursive: true })
  execFileSync('git', ['init', '-q', cwd])
  for (const name of ['coder', 'tester']) define(name)
  const helper = join(cwd, '.agent-chat', 'agents', 'helper.md')
  writeFileSync(helper, readFileSync(bus.home.agentFile('coder')))
  register(bus.home, 'yours', 'theirs')
  const [yours, theirs] = await agentsIn(bus, env, 'yours', 'theirs')
  if (!yours || !theirs) throw new Error('no agents')
  await yours.human()
  await theirs.rung('yours')
  const options = { home: bus.home.root, env, cwd, limitMs: LONGEST_MS }
  const stranger = startAgent(bus, { CLAUDECODE: '1' })
  const systemd = join(tempDirectory(), 'systemd')
  symlinkSync('/bin/sh', systemd)
  const unit = [systemd, '-c', '"$@"; exit $?', 'systemd', RUNTIME, join(DIST, 'main.js')]
  return {
    ...world,
    env,
    cwd,
    from: {
      terminal: (...args) => runAsHuman(args, options),
      popup: (...args) => runInPopup(args, 'y', options),
      'your turn': (...args) => yours.below(cwd, ...args),
      'message’s turn': (...args) => theirs.below(cwd, ...args),
      'never joined': (...args) => stranger.below(args, options),
      'no terminal': (...args) => runCli(args, options),
      unit: (...args) => runApart([...unit, ...args], options),
    },
    declined: (...args) => runInPopup(args, 'n', options),
  }
}

/** Makes ready what a command needs, and gives its words. */
type Words = (world: World) => string[] | Promise<string[]>

type Command = [verb: Verb, words: Words, code?: number]

const BRIDGE = ['bridge', 'init', '--server', '127.0.0.1']

/** Each command of yours, with its words, and with its exit code where it then fails. */
const COMMANDS: Command[] = [
  ['pause', () => ['pause']],
  ['stop', (it) => ['stop', launched(it)]],
  ['stop', () => ['stop', '--all']],
  ['down', wished],
  ['unlink', linked],
  ['leave of another', (it) => ['leave', registered(it)]],
  ['schedule remove', (it) => ['schedule', 'remove', scheduled(it)]],
  ['prune', prunable],
  ['rename of another', (it) => ['rename', registered(it), 'fourth']],
  ['approve', () => ['approve', '@theirs', '--as', 'yours']],
  ['unpause', paused],
  ['release', held],
  ['schedule', () => ['schedule', '@coder', '@daily', 'x']],
  ['schedule run', (it) => ['schedule', 'run', scheduled(it)]],
  ['agents allow', () => ['agents', 'allow', 'helper']],
  ['bridge', unbridged],
  ['bridge', invited],
  ['link --allow', unlinked],
  ['allow', () => ['allow', 'docker compose ps']],
  ['resume', () => ['resume', '--all']],
  // Its repository has no team.
  ['start --team', () => ['start', '--team', '--yes'], 2],
  ['claim --take', claimed],
  ['answer to a decision', asked],
  ['link', () => ['link', 'me@build.invalid', '--peer', 'build', '--unit']],
  // It has joined no team.
  ['bridge run', () => ['bridge', 'run'], 2],
  ['up', (it) => whenDown(it, 'up')],
  ['up', (it) => whenDown(it, 'up', 'coder')],
  // Of a worker that nobody has started with `up`: that would be the same.
  ['restart', (it) => whenDown(it, 'restart', 'tester')],
  ['console', () => ['console', '--plain']],
  ['web', () => ['web', '--stop']],
]

function registered({ bus }: World, more: Record<string, unknown> = {}): string {
  const { fourth: _, ...sessions } = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  const third = { name: 'third', pane: null, joined_at: '2026-11-21T03:39:12.123Z', ...more }
  writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, third }))
  rmSync(bus.home.names, { force: true })
  return 'third'
}

/** Its agent has ended, so that nothing is waited for. */
function launched(world: World): string {
  return registered(world, { agent: { pid: 4_194_305, started: 'long ago' }, launched: true })
}

function wished({ bus, cwd }: World): string[] {
  wish(bus, ['coder'], 'up', cwd)
  return ['down']
}

function linked({ bus }: World): string[] {
  linkWithA(bus)
  return ['unlink', 'a']
}

function unlinked(world: World): string[] {
  linked(world)
  unlink(world.bus, 'a', true)
  return ['link', '--allow', 'a']
}

function scheduled({ bus, cwd }: World): string {
  const ports = { bus: () => bus, env: {}, cwd, typed: 'terminal' } as const
  rmSync(bus.home.schedules, { force: true })
  return addSchedule({ worker: 'coder', cron: '@daily', text: 'x' }, ports).id
}

function prunable({ bus: { home } }: World): string[] {
  mkdirSync(home.search, { recursive: true })
  return ['prune', '--older-than', '1d']
}

function paused({ bus }: World): string[] {
  writeFileSync(bus.home.paused, 'now\n')
  return ['unpause']
}

function held({ bus }: World): string[] {
  const silent = { ring: 'held', why: '4 messages on this chain' } as const
  sendMessage(bus, { from: 'theirs', to: 'yours', kind: 'note', body: 'x', hops: 4, silent })
  return ['release', '--all', '--yes']
}

function unbridged({ bus }: World): string[] {
  rmSync(bus.home.bridge, { recursive: true, force: true })
  return BRIDGE
}

function invited({ bus, cwd }: World): string[] {
  rmSync(bus.home.bridge, { recursive: true, force: true })
  const ticket = { team: 'team', server: 'tls://127.0.0.1:1', host: 'build', seed: 'SU', ca: 'x' }
  writeFileSync(join(cwd, 'build.invitation'), JSON.stringify(ticket))
  return ['bridge', 'join', 'build.invitation']
}

async function claimed({ bus, from }: World): Promise<string[]> {
  rmSync(bus.home.claims, { recursive: true, force: true })
  expect(await from['your turn']?.('claim', 'src/**')).toMatchObject({ code: 0 })
  return ['claim', '--take', 'src/**']
}

async function asked(world: World): Promise<string[]> {
  const { bus, env } = world
  const as = { ...env, AGENT_CHAT_NAME: registered(world) }
  const question = ['escalate', 'Deploy?', '--option', 'yes', '--option', 'no']
  expect(await runCli(question, { home: bus.home.root, env: as })).toMatchObject({ code: 0 })
  return ['reply', String(Math.max(...escalationNumbers(bus.home))), '1', '--as', 'human']
}

async function whenDown({ bus, env }: World, ...words: string[]): Promise<string[]> {
  expect(await runCli(['down'], { home: bus.home.root, env })).toMatchObject({ code: 0 })
  return words
}

/** What a command that is not let through says, whoever gives it. */
const REFUSED =
  /is for your user only, and |was not confirmed|it cannot unregister @third|@human is not used/

/** What a worker's shell leaves once it has ended, soon after. */
const LATE = /\.end(\.tmp)?$/

/** What a home and a repository hold, but what tells of the refusal. */
function contents({ bus, cwd }: World): string[] {
  return [bus.home.root, cwd].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path !== bus.home.history && !LATE.test(path))
      .sort()
      .map((path) => `${path}: ${digestOf(readFileSync(path))}`),
  )
}

/** Gives a command, and says what came of it: it did what it is for, or was refused and did nothing. */
async function played(give: Give | undefined, command: Command, world: World): Promise<string> {
  const [, words, works = 0] = command
  const args = await words(world)
  const before = contents(world)
  const { code, stderr } = (await give?.(...args)) ?? { code: null, stderr: 'no such place' }
  if (!REFUSED.test(stderr)) return code === works ? 'yes' : `${code}: ${stderr}`
  expect(contents(world)).toEqual(before)
  return code === 0 ? `0: ${stderr}` : 'no'
}

/** What comes of a command from each place, where it can be played: a repeat before you did, and after. */
async function row(command: Command, world: World): Promise<Record<string, string>> {
  const { from, declined } = world
  const rightOf = (place: string) => rightsOf(command[0])[PLACES.indexOf(place)]
  const play = (place: string) => played(from[place], command, world)
  const came: Record<string, string> = {}
  // First those that change nothing.
  for (const place of placesOf('no', 'repeat')) came[place] = await play(place)
  if (rightOf('popup') === 'asks') came.popup = await played(declined, command, world)
  for (const place of placesOf('yes', 'asks')) came[place] = joined(came[place], await play(place))
  for (const place of placesOf('repeat')) came[place] = joined(came[place], await play(place))
  return came

  function placesOf(...rights: Right[]): string[] {
    return Object.keys(from).filter((place) => rights.includes(rightOf(place) ?? 'no'))
  }
}

const joined = (before: string | undefined, after: string) =>
  before === undefined ? after : `${before}, then ${after}`

/** What comes of it by the table. */
const COMES: Record<Right, string> = {
  yes: 'yes',
  no: 'no',
  asks: 'no, then yes',
  repeat: 'no, then yes',
}

test('a unit that is printed where a program opened the terminal has not been started by you', async () => {
  const { from } = await rightsWorld()
  expect(await from.popup?.('up', '--unit')).toMatchObject({ code: 0 })
  expect(await from['no terminal']?.('up')).toMatchObject({ code: 3 })
  expect(await from.terminal?.('up', '--unit')).toMatchObject({ code: 0 })
  expect(await from['no terminal']?.('up')).toMatchObject({ code: 0 })
})

test('each command of the table is played', () => {
  expect(new Set(COMMANDS.map(([verb]) => verb))).toEqual(new Set(VERBS_OF_YOURS))
})

const kindOf = ([verb]: Command) => rightsOf(verb).join(' ')

test.each([...new Set(COMMANDS.map(kindOf))])(
  'what has the cells %s is let through so, and not otherwise',
  { timeout: 600_000 },
  async (kind) => {
    const world = await rightsWorld()
    for (const command of COMMANDS.filter((one) => kindOf(one) === kind)) {
      const [verb, words] = command
      const rights = rightsOf(verb).map((right, at) => [PLACES[at], COMES[right]])
      const { panel, page, ...table } = Object.fromEntries(rights)
      expect({ verb, ...(await row(command, world)) }, `${words}`).toEqual({ verb, ...table })
    }
  },
)
