import { homeError } from '../bus/homeError.ts'
import { failureOf, failureText } from '../chat/failure.ts'
import type { Ports } from './ports.ts'
import { runProgram } from './program.ts'

/** Runs one command line, without the program's own name, and gives the exit code. Never throws. */
export async function main(argv: string[], ports: Ports): Promise<number> {
  try {
    await runProgram(argv, ports)
    return 0
  } catch (error) {
    const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
    const failure = failureOf(inHome(error, ports))
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
