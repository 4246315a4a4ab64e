import { readFileSync } from 'node:fs'
import { readUnread } from '../../../src/bus/mail/inbox.ts'
import type { Message } from '../../../src/message/message.ts'
import { systemClock } from '../../../src/system/clock.ts'
import { systemProcesses } from '../../../src/system/processes.ts'
import { until } from '../../../src/testing/until.ts'
import { openShell } from '../../tmux/shell.ts'
import { answerTo, type Running, runIn, type Stage, startWork } from '../../worker/stage.ts'
import type { Block, Reply } from '../harness/reply.ts'
import { type ApiRequest, newText } from '../harness/request.ts'
import type { World } from '../harness/world.ts'
import { realStage } from './stage.ts'

/** What a model does at one step of a turn, where it matters by what it has heard just now. */
type Step = Reply | ((heard: string, team: Team, request: ApiRequest) => Reply | Promise<Reply>)

/** What `who` does, one step after the other, where the prompt of the turn fits `at`. */
export type Play = { who: string; at: RegExp; steps: Step[] }

export type Team = Stage & {
  world: World
  workers: Record<string, Running>
  /** Types a line in the person's shell, and waits for its end. */
  type: (line: string) => Promise<string>
  /** Asks the chatter as a person does, and gives its answer. */
  ask: (text: string) => Promise<string>
  /** Word of the chatter to the person that answers nothing, once it fits. */
  told: (what: RegExp) => Promise<Message>
  /** The calls of our tools, in order: which, and `ok` or its error's code. */
  calls: () => string[]
  /** Who was prompted, in order. */
  prompted: () => string[]
}

const TEAM = ['planner', 'researcher', 'frontend', 'backend']

/** A home as `agents init` makes it, with the chatter and others at work on the real client. */
export async function teamOf(plays: Play[], others = TEAM): Promise<Team> {
  const made: { team?: Team } = {}
  const stage = await realStage((request) => act(request, plays, made.team as Team))
  const { home, world } = stage
  const init = await runIn(stage, ['agents', 'init'])
  if (init.code !== 0) throw new Error(init.stderr)
  const names = ['chatter', ...others]
  const [shell, ...running] = await Promise.all([
    openShell(world.tmux, { home: world.chat, cwd: stage.cwd, width: 120, env: stage.env }),
    ...names.map((name) => startWork(stage, name)),
  ])
  let lines = 0
  const type = async (line: string) => {
    lines += 1
    await shell.key('C-l')
    await shell.submit(`${line}; echo "<$?-${lines}>"`)
    return shell.waitFor(new RegExp(`^<\\d+-${lines}>`, 'm'))
  }
  const bus = { home, clock: systemClock(), processes: systemProcesses() }
  const team: Team = {
    ...stage,
    type,
    workers: Object.fromEntries(names.map((name, at) => [name, running[at] as Running])),
    ask: async (text) => {
      await type(`agent-chat ask --no-wait @chatter "${text}"`)
      return (await answerTo(stage, lastQuestion(home.history), 60_000)).body
    },
    told: (what) =>
      until(
        `word of the chatter: ${what}`,
        () =>
          readUnread(bus, 'human').messages.find(
            ({ from, kind, body }) => from === 'chatter' && kind === 'note' && what.test(body),
          ),
        40_000,
      ),
    calls: () =>
      linesOf(home.mcpLog).map(({ tool, result }) => `${tool} ${Object(result).code ?? 'ok'}`),
    prompted: () =>
      world.api
        .main()
        .filter((request) => PROMPT.test(newText(request)))
        .map(speaker),
  }
  made.team = team
  return team
}

/** A call of one of our tools. */
export const tool = (name: string, input: Record<string, unknown> = {}): Block => ({
  tool: `mcp__agent-chat__${name}`,
  input,
})

/** The newest prompt of a conversation decides, and how far its turn has come. */
async function act(request: ApiRequest, plays: Play[], team: Team): Promise<Reply> {
  const who = speaker(request)
  const { messages } = request
  const at = messages.findLastIndex(({ text }) => PROMPT.test(text))
  const prompt = messages[at]?.text ?? ''
  const play = plays.find((one) => one.who === who && one.at.test(prompt))
  if (!play) return { text: `@${who} has no part in this: ${prompt.slice(0, 200)}` }
  const done = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length
  const step = play.steps[done] ?? { text: 'done' }
  return typeof step === 'function' ? step(newText(request), team, request) : step
}

const PROMPT = /^(Question|Task|Reply|Result|Note) \w+ from @/m

function speaker({ body }: ApiRequest): string {
  return /You are @([\w-]+), a worker/.exec(JSON.stringify(body.system))?.[1] ?? ''
}

function lastQuestion(history: string): string {
  const sent = linesOf(history).findLast(
    ({ event, from, to }) => event === 'sent' && from === 'human' && to === 'chatter',
  )
  return String(sent?.id)
}

function linesOf(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
