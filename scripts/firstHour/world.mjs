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
import { PAGES } from './pages.mjs'

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
  'mkfifo',
  'mv',
  'rm',
  'sleep',
  'true',
  'uname',
]

/** How long a step may take. In milliseconds. */
const STEP_MS = 300_000
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
    join(home, 'src', 'api'),
    world.sockets,
    ...PAGES.map(({ page }) => socketsOf(page, world)),
    ...['bare', 'tmux', 'claude', 'codex'].map((name) => join(place, name)),
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
  standIn(place, 'claude', '2.1.0 (Claude Code)')
  standIn(place, 'codex', 'codex-cli 0.169.0')
  // A server ends with its last session, and the next step would meet it ending.
  terminal(world, ['new-session', '-d', '--', 'cat'])
  return world
}

/** An agent that says its version and what it was called with, and then has an input line. Its server, where it is asked for one, only listens. @param {string} place @param {string} name @param {string} version */
function standIn(place, name, version) {
  const script = `#!/bin/sh
[ "$1" = --version ] && echo "${version}" && exit
[ "$1" = app-server ] && exec node -e 'net.createServer().listen(process.argv[1])' "\${3#unix://}"
echo "a stand-in for ${name}"
echo "${name} $*"
while printf '> ' && read -r line; do :; done
`
  writeFileSync(join(place, name, name), script, { mode: 0o755 })
}

/** Where the tmux servers of a page are: none meets the sessions of another page. @param {string} page @param {World} world */
export function socketsOf(page, { sockets }) {
  return join(sockets, page.replace(/\W/g, '-'))
}

/** Ends what the hour has started, by its own sockets, and removes it once the last of it has written its last. @param {World} world */
export async function endWorld(world) {
  const path = { PATH: process.env.PATH }
  for (const folder of [world.sockets, ...PAGES.map(({ page }) => socketsOf(page, world))])
    for (const socket of ['-Lterminal', '-Ldefault'])
      spawnSync('tmux', [socket, 'kill-server'], { env: { ...path, TMUX_TMPDIR: folder } })
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
  const { exit, text } = step.screen
    ? await onScreen(step, world)
    : step.terminal
      ? await atTerminal(step, world)
      : inScript(step, world)
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

/** Typed into a shell, as a line of a page is, with its output in a file: nothing is wrapped or coloured. @param {Step} step @param {World} world */
async function atTerminal(step, world) {
  const out = join(world.place, 'out')
  const words = step.argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const { code, pane } = await type(`${words} >${out} 2>&1`, step, world)
  await until(
    step,
    () => '',
    () => existsSync(code),
  )
  terminal(world, ['kill-pane', '-t', pane])
  return { exit: Number(readFileSync(code, 'utf8')), text: readFileSync(out, 'utf8') }
}

/**
 * Types a line into a shell that reads its terminal: a person is who does that, and agent-chat looks for it. Gives the shell's pane, and the
 * file that will hold the line's exit code.
 * @param {string} line @param {Step} step @param {World} world
 */
async function type(line, step, world) {
  const [code, file] = [join(world.place, 'code'), join(world.place, 'line')]
  rmSync(code, { force: true })
  writeFileSync(file, `${line}\necho $? >${code}.new; mv ${code}.new ${code}\n`)
  const env = environment(world, step.has, step.env)
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const pane = terminal(world, [
    ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '160', '-y', '50', '-c'],
    ...[world[step.at], '--', join(world.place, 'bare', 'env'), '-i', ...variables, 'sh'],
  ])
  const screen = () => terminal(world, ['capture-pane', '-p', '-t', pane])
  await until(step, screen, () => screen() !== '')
  terminal(world, ['send-keys', '-t', pane, `. ${file}`, 'Enter'])
  return { code, pane }
}

/**
 * A line of a page, with its output on the screen. Gives the screen on which its keys were pressed, or the last one.
 * @param {Step} step @param {World} world
 */
async function onScreen(step, world) {
  const { shows, keys, first = [], answer, says } = step.screen ?? {}
  for (const line of first) aside(step, world, line)
  const { code, pane } = await type(lineOf(step, world), step, world)
  const screen = () => terminal(world, ['capture-pane', '-p', '-J', '-t', pane])
  const press = (/** @type {string[]} */ words) =>
    terminal(world, ['send-keys', '-t', pane, ...words])
  let [text, pressed, answered, said] = ['', keys === undefined, answer === undefined, 0]
  await until(step, screen, () => {
    text = pressed ? text : screen()
    if (!pressed && shows?.test(text)) {
      press(keys ?? [])
      pressed = true
    }
    if (!answered) answered = answerAs(step, world, answer ?? '')
    const questions = says ? (screen().match(/\[y\/N\]/g)?.length ?? 0) : 0
    if (says && questions > said) press([says, 'Enter'])
    said = questions
    return existsSync(code)
  })
  if (keys === undefined || !pressed) text = screen()
  terminal(world, ['kill-pane', '-t', pane])
  return { exit: Number(readFileSync(code, 'utf8')), text }
}

/** Looks until it holds. @param {Step} step @param {() => string} screen @param {() => boolean} holds */
async function until({ argv }, screen, holds) {
  for (const end = performance.now() + STEP_MS; !holds(); ) {
    if (performance.now() > end) throw new Error(`${argv.join(' ')} did not end:\n${screen()}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** The line as it is typed: with the id of the newest message, where a page leaves room for one. @param {Step} step @param {World} world */
function lineOf({ argv, ...step }, world) {
  const [line = ''] = argv
  if (!line.includes('<id>')) return line
  const { messages } = JSON.parse(aside({ argv, ...step }, world, 'agent-chat history 1 --json'))
  return line.replace('<id>', messages[0].id)
}

/** Whether @backend had a question to answer. @param {Step} step @param {World} world @param {string} answer */
function answerAs(step, world, answer) {
  const backend = 'AGENT_CHAT_NAME=backend agent-chat'
  const { messages } = JSON.parse(aside(step, world, `${backend} inbox --json`))
  const question = messages.find((/** @type {{ kind: string }} */ { kind }) => kind === 'question')
  if (question === undefined) return false
  aside(step, world, `${backend} reply ${question.id} "${answer}"`)
  return true
}

/** Runs a line in a script, at once. @param {Step} step @param {World} world @param {string} line */
export function aside(step, world, line) {
  const env = environment(world, step.has, step.env)
  return spawnSync('sh', ['-c', line], { cwd: world.project, env, encoding: 'utf8' }).stdout
}

/** The server that stands for the newcomer's terminal. @param {World} world @param {string[]} args */
function terminal(world, args) {
  // The server's own environment is the newcomer's too: nothing of this process but PATH is in it.
  const env = { ...environment(world, []), PATH: process.env.PATH, SHELL: '/bin/sh' }
  const { status, stdout, stderr } = spawnSync('tmux', ['-Lterminal', '-f', '/dev/null', ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
  return stdout.trimEnd()
}

/** @param {World} world @param {string[]} has @param {(world: World) => Record<string, string>} [more] */
function environment(world, has, more) {
  /** @type {Record<string, string>} */
  const directories = {
    link: join(world.home, '.local', 'bin'),
    tmux: join(world.place, 'tmux'),
    claude: join(world.place, 'claude'),
    codex: join(world.place, 'codex'),
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
