import { Command, CommanderError } from 'commander'
import type { Usage } from '../chat/failure.ts'
import { VERBS, verbOf } from '../message/verbs.ts'
import type { Ports } from './ports.ts'
import { firstWord, LOAD } from './verbs.ts'

/**
 * Reads the command line and runs the one command that it names. Only that command's file is
 * loaded; the rest is known by its summary. Throws what the command throws, and commander's own
 * errors for bad usage.
 */
export async function runProgram(given: string[], ports: Ports): Promise<void> {
  const program = baseProgram(ports)
  // What follows is somebody's unfinished line, for which commander has no rules.
  if (given[0] === 'completion' && given[1] === '--at')
    return (await import('./completion/complete.ts')).complete(given.slice(2), program, ports)
  const argv = jsonBehind(await helpBehind(given))
  const at = firstWord(argv)
  const word = argv[at]
  const verb = verbOf(word)
  if (verb) (await LOAD[verb.word]())(program, ports)
  else await addLauncher(program, ports, word, argv.slice(at + 1))
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The hint of bad usage names the help of the very command, and its example.
    if (error.exitCode !== 0)
      throw Object.assign(error, { usage: await usageOf(program, verb?.word, argv) })
  }
}

/** `help send` and `--help send`, as other programs have it, are `send --help`. */
async function helpBehind(argv: string[]): Promise<string[]> {
  const [first = '', word] = argv
  if (!['help', '-h', '--help'].includes(first) || word === undefined || word.startsWith('-'))
    return argv
  if (verbOf(word)) return [word, '--help']
  throw (await import('./unknown.ts')).unknownCommand(word)
}

/** `--json who` is `who --json`: it is an option of every command. */
function jsonBehind(argv: string[]): string[] {
  const [first, word = '', ...rest] = argv
  return first === '--json' && verbOf(word) ? [word, first, ...rest] : argv
}

async function usageOf(program: Command, verb: string | undefined, argv: string[]): Promise<Usage> {
  const command = program.commands.find((one) => one.name() === verb)
  if (verb === undefined || command === undefined)
    return { unknownOption: (await import('./unknown.ts')).unknownLauncherOption(argv) }
  const takesWords = command.registeredArguments.some(({ variadic }) => variadic)
  const unknownOption = takesWords
    ? 'words that begin with a dash go behind two dashes, as in: agent-chat send @name -- --help'
    : undefined
  return {
    verb,
    unknownOption,
    example: 'example' in command ? String(command.example) : undefined,
  }
}

function baseProgram(ports: Ports): Command {
  const program = new Command('agent-chat')
    .description('Durable, safe, inspectable messages between agent sessions, with no server.')
    .version(ports.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ writeOut: ports.print, writeErr: () => {}, outputError: () => {} })
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
  return program
}

async function addLauncher(
  program: Command,
  ports: Ports,
  word: string | undefined,
  rest: string[],
): Promise<void> {
  if (word !== undefined && word !== 'help')
    (await import('./unknown.ts')).refuseUnknown(word, rest, ports)
  for (const verb of VERBS) program.command(verb.word).description(verb.summary)
  const { launchCommand } = await import('./commands/launch.ts')
  launchCommand(program, ports)
}
