import { existsSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { ensureHome, requireThere } from '../bus/home.ts'
import { homeError } from '../bus/homeError.ts'
import type { Usage } from '../chat/failure.ts'
import { failureOf, failureText } from '../chat/failure.ts'
import { isCoded } from '../errors.ts'
import type { Verb } from '../message/verb.ts'
import { verbOf } from '../message/verbs.ts'
import { isTopic } from './command.ts'
import type { Ports } from './ports.ts'
import { firstWord, LOAD } from './verbs.ts'

/** Runs one command line, without the program's own name, and gives the exit code. Never throws. */
export async function main(argv: string[], ports: Ports): Promise<number> {
  try {
    await runProgram(argv, ports)
    return 0
  } catch (error) {
    const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
    const failure = failureOf(await asPerson(inHome(error, ports), argv, ports))
    if (failure.code !== 'OUTPUT_CLOSED' || ports.env.AGENT_CHAT_DEBUG)
      ports.talk(failureText(failure, own.includes('--json')))
    if (ports.env.AGENT_CHAT_DEBUG === '1' && error instanceof Error) ports.talk(`${error.stack}\n`)
    return failure.exit
  }
}

/**
 * A command meets its home's troubles wherever it reads or writes; told here once, as trouble of
 * the home.
 */
function inHome(error: unknown, ports: Ports): unknown {
  try {
    return homeError(ports.bus().home, error)
  } catch {
    return error
  }
}

/** Who types where nothing tells who they are is told the line that says so. */
async function asPerson(error: unknown, argv: string[], ports: Ports): Promise<unknown> {
  if (!isCoded(error, 'IDENTITY_UNKNOWN')) return error
  return (await import('./options/personsLine.ts')).withPersonsLine(error, argv, ports)
}

/**
 * Reads the command line and runs the one command that it names. Only that command's file is
 * loaded; the rest is known by its summary. Throws what the command throws, and commander's own
 * errors for bad usage.
 */
async function runProgram(given: string[], ports: Ports): Promise<void> {
  const program = baseProgram(ports)
  // What follows is somebody's unfinished line, for which commander has no rules.
  if (given[0] === 'completion' && given[1] === '--at')
    return (await import('./completion/complete.ts')).complete(given.slice(2), program, ports)
  const argv = await withVerb(jsonBehind(await helpBehind(given)), ports)
  const verb = verbOf(argv[firstWord(argv)])
  if (verb) (await LOAD[verb.word]())(program, ports)
  else if (isBare(argv)) return (await import('./commands/overview.ts')).overview(argv, ports)
  else program.configureHelp({ formatHelp: (await import('./render/verbList.ts')).helpOfFirst })
  if (verb)
    program.hook('preAction', (_, action) => requireSurroundings(verb, action.opts(), ports))
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The hint of bad usage names the help of the very command, and its example.
    if (error.exitCode !== 0)
      throw Object.assign(error, { usage: await usageOf(program, verb?.word, argv, error.message) })
  }
}

/** Throws for a home that is not there, or a variable with a value that there is not. */
async function requireSurroundings(
  { word, needs }: Verb,
  options: Record<string, unknown>,
  ports: Ports,
): Promise<void> {
  const { env } = ports
  // A status line has no room for what is wrong with a home.
  if (word === 'who' && options.line) return
  if ((env.AGENT_CHAT_GATE || env.AGENT_CHAT_NOTIFY) && needs !== 'nothing')
    (await import('../chat/environment.ts')).requireValues(env)
  if (needs === undefined && options.try === undefined) return requireThere(ports.bus().home, env)
  // With a handover, `start` goes on in a pane of its own: a removed home must not come back.
  const makes = (word === 'start' && options.handover === undefined) || word === 'join'
  if (!makes || !env.AGENT_CHAT_HOME) return
  const { home } = ports.bus()
  if (existsSync(home.root)) return
  ensureHome(home)
  ports.notice(`made the home ${home.root}`)
}

/** `help send` and `--help send`, as other programs have it, are `send --help`. */
async function helpBehind(argv: string[]): Promise<string[]> {
  const [first = '', word] = argv
  if (!['help', '-h', '--help'].includes(first)) return argv
  if (word === '--all') return ['help', ...argv.slice(1)]
  if (word === undefined || (first !== 'help' && word.startsWith('-'))) return ['--help']
  if (verbOf(word)) return [word, '--help']
  if (first === 'help' && (word === '--help' || isTopic(word))) return argv
  throw (await import('./unknown.ts')).unknownCommand(word)
}

/** A word that is no command is a habit of other programs, or the name of a session to start. */
async function withVerb(argv: string[], ports: Ports): Promise<string[]> {
  const at = firstWord(argv)
  const word = argv[at]
  if (argv[0] !== undefined && !verbOf(argv[0])) {
    const meant = (await import('./unknown.ts')).habit(argv)
    if (meant) return meant
  }
  if (word === 'start' && argv.length > at + 2)
    (await import('./unknown.ts')).refuseSecond(argv.slice(at + 1))
  if (word === undefined || verbOf(word)) return argv
  await (await import('./unknown.ts')).refuseUnknown(word, argv.slice(at + 1), ports)
  return ['start', ...argv]
}

function isBare(argv: string[]): boolean {
  return argv.every((arg) => arg === '--json')
}

/** `--json who` is `who --json`: it is an option of every command. */
function jsonBehind(argv: string[]): string[] {
  const [first, word = '', ...rest] = argv
  return first === '--json' && verbOf(word) ? [word, first, ...rest] : argv
}

async function usageOf(
  program: Command,
  verb: string | undefined,
  argv: string[],
  said: string,
): Promise<Usage> {
  const command = program.commands.find((one) => one.name() === verb)
  const flag = /unknown option '(-[^-\s])'/.exec(said)?.[1]
  const near = flag && command?.options.find(({ long }) => long?.startsWith(`-${flag}`))?.long
  const { askedOf, excessWords, unknownLauncherOption } = await import('./unknown.ts')
  const asked = verb && askedOf(verb, /unknown option '([^']*)'/.exec(said)?.[1] ?? '')
  if (asked) return { verb, unknownOption: asked }
  if (flag && verb === 'link')
    return { verb, unknownOption: 'options of ssh go after --: agent-chat link build -- -p 2222' }
  if (near && verb !== undefined) return { verb, unknownOption: `did you mean: ${near}` }
  if (verb === undefined || verb === 'start' || command === undefined) {
    const example = 'agent-chat start backend'
    const typed = verb === 'start' ? argv.slice(1) : argv
    return { verb, example, unknownOption: unknownLauncherOption(typed) }
  }
  const takesWords = command.registeredArguments.some(({ variadic }) => variadic)
  const unknownOption = takesWords
    ? 'put text that begins with a dash after two dashes: agent-chat send @name -- --help'
    : undefined
  return {
    verb,
    unknownOption,
    excess: excessWords(verb, argv.slice(1)),
    example: 'example' in command ? String(command.example) : undefined,
  }
}

function baseProgram(ports: Ports): Command {
  const program = new Command('agent-chat')
    .helpCommand(false)
    .version(ports.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ writeOut: ports.print, writeErr: () => {}, outputError: () => {} })
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
  return program
}
