import { join } from 'node:path'
import { asHuman } from '../../scripts/asHuman.mjs'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { cleanEnv, DIST, type Run, type RunOptions, runCli } from './cli.ts'

/** As `runCli`, typed by a person into a shell at a terminal of theirs. */
export function runAsHuman(args: string[], options: RunOptions): Promise<Run> {
  return atTerminal(args, options)
}

/** As `runAsHuman`, started by tmux itself, as in a popup; `answer` is typed at its `[y/N]`. */
export function runInPopup(args: string[], answer: string, options: RunOptions): Promise<Run> {
  return atTerminal(args, options, answer)
}

async function atTerminal(args: string[], options: RunOptions, answer?: string): Promise<Run> {
  const { cwd, input, limitMs } = options
  const ended = await asHuman([RUNTIME, join(DIST, 'main.js'), ...args], {
    env: cleanEnv(options),
    answer,
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? {} : { input }),
    ...(limitMs === undefined ? {} : { limitMs }),
  })
  return ended.code === 137
    ? { ...ended, code: null, signal: 'SIGKILL' }
    : { ...ended, signal: null }
}

/** Commands that nobody but a person may give without a terminal. */
const OWNERS =
  /^(approve|allow (?!--json)|unpause|release|resume|start --team|schedule|up(?! --foreground)|restart|bridge|link(?! --(stdio|help))|agents allow|reply #?\d{1,4}) ?/

/** Whether only the person may give this command. */
export function isOwners(args: string[]): boolean {
  return OWNERS.test(args.join(' '))
}

/** As `runCli`; a command that only the person may give is typed at a terminal of theirs. */
export function runAsOwner(args: string[], options: RunOptions): Promise<Run> {
  return (isOwners(args) ? runAsHuman : runCli)(args, options)
}
