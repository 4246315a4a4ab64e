import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** What an empty container with Node and git has; what of it this system lacks is left out. */
const BARE = [
  'git',
  'npm',
  'sh',
  'env',
  'cat',
  'cp',
  'echo',
  'false',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sleep',
  'true',
  'uname',
]

/** How long a step may take. In milliseconds. */
const STEP_MS = 120_000
const LOOK_MS = 10

/**
 * An empty home, a PATH of links, and a tmux server of its own.
 * @typedef {{ place: string, home: string, project: string, clone: string, sockets: string }} World
 * @typedef {import('./steps.mjs').Step} Step
 * @typedef {{ step: Step, exit: number, ms: number, text: string }} Played
 */

/** @returns {World} */
export function makeWorld() {
  const place = mkdtempSync(join(tmpdir(), 'agent-chat-hour-'))
  const home = join(place, 'home')
  const world = {
    place,
    home,
    project: join(home, 'src', 'web'),
    clone: join(home, 'src', 'agent-chat'),
    sockets: join(place, 's'),
  }
  for (const path of [
    world.project,
    world.sockets,
    ...['bare', 'tmux', 'claude'].map((name) => join(place, name)),
  ])
    mkdirSync(path, { recursive: true })
  symlinkSync(process.execPath, join(place, 'bare', 'node'))
  for (const name of BARE) {
    const program = find(name)
    if (program) symlinkSync(program, join(place, 'bare', name))
  }
  const tmux = find('tmux')
  if (!tmux) throw new Error('the hour needs a real tmux: install tmux 3.0 or newer')
  symlinkSync(tmux, join(place, 'tmux', 'tmux'))
  const claude = '#!/bin/sh\n[ "$1" = --version ] && echo "2.1.0 (Claude Code)" && exit\nexec cat\n'
  writeFileSync(join(place, 'claude', 'claude'), claude, { mode: 0o755 })
  // A server ends with its last session, and the next step would meet it ending.
  terminal(world, ['new-session', '-d', '--', 'cat'])
  return world
}

/** Ends what the hour has started, by its own sockets, and removes it once the last of it has written its last. @param {World} world */
export async function endWorld(world) {
  for (const socket of ['-Lterminal', '-Ldefault'])
    spawnSync('tmux', [socket, 'kill-server'], {
      env: { ...environment(world, []), PATH: process.env.PATH },
    })
  for (const end = performance.now() + 20_000; existsSync(world.place); ) {
    try {
      rmSync(world.place, { recursive: true, force: true })
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Plays one step as a process of its own, and gives what a newcomer sees. @param {Step} step @param {World} world @returns {Promise<Played>} */
export async function play(step, world) {
  step.before?.(world)
  const began = performance.now()
  const { exit, text } = step.terminal ? await atTerminal(step, world) : inScript(step, world)
  const ms = performance.now() - began
  // The build of this tree is what is tried, also where it is not committed yet.
  if (step.argv[0] === 'git')
    cpSync(join(ROOT, 'dist'), join(world.clone, 'dist'), { recursive: true })
  return { step, exit, ms, text: shown(text, world) }
}

/** @param {Step} step @param {World} world */
function inScript(step, world) {
  const [program = '', ...args] = step.argv
  const options = {
    cwd: world[step.at],
    env: environment(world, step.has, step.env),
    encoding: /** @type {const} */ ('utf8'),
    timeout: STEP_MS,
  }
  // Both outputs in one, in the order of their writing.
  const run = spawnSync('sh', ['-c', 'exec "$@" 2>&1', 'sh', program, ...args], {
    ...options,
    input: step.input ?? '',
  })
  return { exit: run.status ?? 1, text: run.stdout }
}

/** In a pane, which is a terminal of one's own; its output goes to a file, so nothing is wrapped or coloured. @param {Step} step @param {World} world */
async function atTerminal(step, world) {
  const [out, code] = [join(world.place, 'out'), join(world.place, 'code')]
  for (const path of [out, code]) rmSync(path, { force: true })
  const env = Object.entries(environment(world, step.has, step.env)).map(
    ([name, value]) => `${name}=${value}`,
  )
  const script =
    'out=$1 code=$2; shift 2; "$@" >"$out" 2>&1; echo $? >"$code.new"; mv "$code.new" "$code"'
  const line = [
    join(world.place, 'bare', 'env'),
    '-i',
    ...env,
    'sh',
    '-c',
    script,
    'sh',
    out,
    code,
    ...step.argv,
  ]
  terminal(world, ['new-session', '-d', '-c', world[step.at], '--', ...line])
  for (const end = performance.now() + STEP_MS; !existsSync(code); ) {
    if (performance.now() > end) throw new Error(`${step.argv.join(' ')} did not end`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return { exit: Number(readFileSync(code, 'utf8')), text: readFileSync(out, 'utf8') }
}

/** The server that stands for the newcomer's terminal. @param {World} world @param {string[]} args */
function terminal(world, args) {
  const env = { ...environment(world, []), PATH: process.env.PATH }
  const { status, stderr } = spawnSync('tmux', ['-Lterminal', '-f', '/dev/null', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
}

/** @param {World} world @param {string[]} has @param {(world: World) => Record<string, string>} [more] */
function environment(world, has, more) {
  /** @type {Record<string, string>} */
  const directories = {
    link: join(world.home, '.local', 'bin'),
    tmux: join(world.place, 'tmux'),
    claude: join(world.place, 'claude'),
  }
  const path = [join(world.place, 'bare'), ...has.map((name) => directories[name])].join(delimiter)
  // npm would put what it installs for all users beside the Node of this machine.
  const npm = {
    npm_config_prefix: join(world.home, '.npm-global'),
    npm_config_update_notifier: 'false',
  }
  return {
    HOME: world.home,
    PATH: path,
    SHELL: '/bin/bash',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    TMUX_TMPDIR: world.sockets,
    ...npm,
    ...more?.(world),
  }
}

/** As the newcomer would tell it: the home is `~`, and what npm says of itself is left out. @param {string} text @param {World} world */
function shown(text, world) {
  const lines = text.replaceAll(world.home, '~').split('\n')
  return lines
    .filter((line) => !/^(npm (warn|notice)|> )/.test(line))
    .join('\n')
    .trim()
}

/** @param {string} name */
function find(name) {
  const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name))
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
