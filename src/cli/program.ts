import { Command, CommanderError } from 'commander'
import { CodedError } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { nearest } from './nearest.ts'
import type { Ports } from './ports.ts'
import { VERBS } from './verbs.ts'

/**
 * Reads the command line and runs the one command that it names. Only that command's file is loaded; the rest is known by its
 * summary. Throws what the command throws, and commander's own errors for bad usage.
 */
export async function runProgram(argv: string[], ports: Ports): Promise<void> {
  const program = baseProgram(ports)
  // The launcher's options may stand before the name, and only this one of them has a value.
  const at = argv.findIndex((arg, index) => !arg.startsWith('-') && argv[index - 1] !== '--cmd')
  const word = at < 0 ? undefined : argv[at]
  const verb = VERBS.find(({ name }) => name === word)
  if (verb) (await verb.load())(program, ports)
  else await addLauncher(program, ports, word, argv.slice(at + 1))
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The hint of bad usage names the help of the very command.
    if (error.exitCode !== 0) throw Object.assign(error, { verb: verb?.name })
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

async function addLauncher(program: Command, ports: Ports, word: string | undefined, rest: string[]): Promise<void> {
  if (word !== undefined && word !== 'help') refuseUnknown(word, rest)
  for (const { name, summary } of VERBS) program.command(name).description(summary)
  const { launchCommand } = await import('./commands/launch.ts')
  launchCommand(program, ports)
}

/** A word near a command is more likely a slip than a session's name; with a leading `@` it is meant as a name. */
function refuseUnknown(word: string, rest: string[]): void {
  if (word.startsWith('@')) return
  const verbs = VERBS.map(({ name }) => name)
  const near = nearest(word, verbs)
  const alone = rest.every(
    (arg, at) => arg.startsWith('-') || rest.slice(0, at).includes('--') || rest[at - 1] === '--cmd',
  )
  if (NAME_PATTERN.test(word) && alone && near === undefined) return
  const launch = NAME_PATTERN.test(word) ? `; to start a session of this name: agent-chat @${word}` : ''
  throw new CodedError('USAGE', `there is no command ${JSON.stringify(word)}`, {
    hint: `${near === undefined ? 'see: agent-chat --help' : `did you mean: agent-chat ${near}`}${launch}`,
  })
}
