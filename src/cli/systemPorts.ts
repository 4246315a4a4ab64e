import type { Bus } from '../bus/bus.ts'
import { CodedError } from '../errors.ts'
import { isErrno, reasonOf } from '../system/errno.ts'
import { isNowhere, pipeAt } from '../system/output.ts'
import { tmuxHint } from '../system/programs.ts'
import { isTerminal, readFile, readStdin, writeOut } from '../system/terminal.ts'
import type { Tmux } from '../system/tmux.ts'
import { workingDirectory } from '../system/workingDirectory.ts'
import { version } from '../version.ts'
import type { Ports } from './ports.ts'

type Root = {
  /** The file that runs this program. */
  script: string
  /** The folder of the plugin. */
  root: string
  bus: (env: NodeJS.ProcessEnv) => Bus
  openConsole: Ports['openConsole']
}

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The real ports, each made when it is first asked for. */
export function systemPorts(
  program: Root,
  env: NodeJS.ProcessEnv = process.env,
): Ports & { exitCode: () => number } {
  const { script, root, bus, openConsole } = program
  let opened: Bus | undefined
  let code = 0
  const theBus = () => {
    opened ??= { ...bus(env), notice }
    return opened
  }
  return {
    env,
    withEnv: (other) => systemPorts(program, other),
    cwd: workingDirectory(env),
    self: { node: process.execPath, script, root },
    version,
    bus: theBus,
    tmux: lazyTmux(env),
    print,
    outputTaker: () => outputTaker(theBus),
    notice,
    talk,
    isTerminal: (stream) => isTerminal(['stdin', 'stdout', 'stderr'].indexOf(stream)),
    readStdin,
    readFile,
    setExitCode: (value) => {
      code = value
    },
    exitCode: () => code,
    onStop: (callback) => {
      for (const signal of SIGNALS) process.on(signal, callback)
    },
    openConsole,
  }
}

function print(text: string): void {
  try {
    writeOut(1, text)
  } catch (error) {
    const hint = 'messages that were not printed stay unread'
    if (isErrno(error, 'EPIPE'))
      throw new CodedError('OUTPUT_CLOSED', 'the reader of the output has closed it', {
        hint,
        cause: error,
      })
    const why = reasonOf(error)
    throw new CodedError('FAULT', `the output could not be written (${why})`, {
      hint,
      cause: error,
    })
  }
}

/** Processes are looked at only where a pipe takes the output. */
async function outputTaker(bus: () => Bus): Promise<string | undefined> {
  if (isNowhere(1)) return '/dev/null'
  const pipe = pipeAt(1)
  return pipe && (await import('../session/outputFilter.ts')).filterOf(pipe, bus().processes)
}

function notice(text: string): void {
  talk(`agent-chat: ${text}\n`)
}

/** What is said when nobody listens must not stop what is done. */
function talk(text: string): void {
  try {
    writeOut(2, text)
  } catch (error) {
    if (!isErrno(error, 'EPIPE', 'ENOSPC', 'EIO', 'EBADF')) throw error
  }
}

/** To start a program costs a part of Node, so it is loaded by the first command of tmux. */
function lazyTmux(env: NodeJS.ProcessEnv): Tmux {
  const load = async () => (await import('../system/tmux.ts')).systemTmux(() => tmuxHint(env))
  return {
    run: async (args, socket, limitMs) => (await load()).run(args, socket, limitMs),
    runHere: async (args, socket) => (await load()).runHere(args, socket),
  }
}
