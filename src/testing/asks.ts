import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { readJson } from '../system/json.ts'
import { outcome, type Run, type RunOptions, startCli } from './cli.ts'
import { longId } from './longId.ts'
import { until } from './until.ts'

/**
 * A process that waits for an answer: the id of its question, what it has said so far, and how it
 * will end.
 */
export type Waiting = { id: string; child: ChildProcess; said: () => string; ended: Promise<Run> }

/** A busy machine gets the time that it needs, within that of a test. */
const LONGEST_MS = 50_000

/** Runs `ask` as this session, as a process of its own, and gives it once it says that it waits. */
export async function startAsk(
  bus: Bus,
  from: string,
  args: string[],
  options: Partial<RunOptions> = {},
): Promise<Waiting> {
  const env = { AGENT_CHAT_NAME: from, ...options.env }
  const child = startCli(['ask', ...args], {
    home: bus.home.root,
    limitMs: LONGEST_MS,
    ...options,
    env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stderr?.on('data', (piece) => {
    text += piece
  })
  let run: Run | undefined
  const ended = outcome(child)
  void ended.then((done) => {
    run = done
  })
  const short = await until(
    `@${from} to wait`,
    () => {
      const asked = args.includes('--json')
        ? idInNote(readJson(bus.home.ask(child.pid ?? 0)))
        : /waiting for the answer of @\S+ to (\S+)\n/.exec(text)?.[1]
      if (asked !== undefined || run === undefined) return asked
      // It may have waited and ended since the last look.
      if (run.stdout.startsWith('{')) return String(JSON.parse(run.stdout).question.id)
      throw new Error(`ask ended with ${run.code}: ${run.stderr}`)
    },
    LONGEST_MS,
  )
  const id = short.includes('-from-') ? short : longId(bus.home, ` ${short}`, / (\S+)/)
  return { id, child, said: () => text, ended }
}

/** With `--json` nothing is said while it waits: what it has noted tells its question. */
function idInNote(note: unknown): string | undefined {
  if (typeof note !== 'object' || note === null || !('id' in note) || !note.id) return undefined
  return String(note.id)
}
