import type { Bus } from '../../src/bus/bus.ts'
import type { Ports } from '../../src/cli/ports.ts'
import { main } from '../../src/cli/program.ts'
import { ROOT, type Run } from '../../src/testing/cli.ts'

/**
 * Runs a command line in this process, on this bus, as a session by its name or as the person: nothing is
 * inherited, and there is no tmux.
 */
export async function runInProcess(
  bus: Bus,
  argv: string[],
  env: Record<string, string> = {},
): Promise<Run> {
  let stdout = ''
  let stderr = ''
  let code = 0
  const ports: Ports = {
    env: { AGENT_CHAT_NOTIFY: 'off', ...env },
    withEnv: () => ports,
    cwd: '/',
    self: { node: process.execPath, script: `${ROOT}/dist/main.js`, root: ROOT },
    version: '0.0.0',
    bus: () => bus,
    tmux: {
      run: async () => ({ code: 1, stdout: '', stderr: 'no server running' }),
      runHere: async () => 1,
    },
    print: (text) => {
      stdout += text
    },
    outputTaker: async () => undefined,
    notice: (text) => {
      stderr += `agent-chat: ${text}\n`
    },
    talk: (text) => {
      stderr += text
    },
    isTerminal: async () => false,
    readStdin: () => Buffer.alloc(0),
    readFile: () => Buffer.from('from a file'),
    setExitCode: (value) => {
      code = value
    },
    onStop: () => {},
    openConsole: async () => {},
    // Whoever has no name is the person at a terminal.
    ...(env.AGENT_CHAT_NAME === undefined && { typed: 'terminal' as const }),
  }
  const ended = await main(argv, ports)
  return { code: ended || code, signal: null, stdout, stderr }
}
