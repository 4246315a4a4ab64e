import type { Agent } from '../agents/agent.ts'
import { answerUnread } from '../boot/unread.ts'
import type { Bus } from '../bus/bus.ts'
import { systemBus } from '../bus/bus.ts'
import type { HookPorts } from '../hooks/ports.ts'
import type { Reply } from '../hooks/reply.ts'
import { afterReply, type Hooks, runHook } from '../hooks/run.ts'
import { markStranger } from '../hooks/stranger.ts'
import { countingEnv } from '../session/startedWith.ts'
import { systemProcesses } from '../system/processes.ts'
import { readStdin, writeOut } from '../system/terminal.ts'

/**
 * The longest payload that is read: a prompt or a tool's answer may be long, and none of its end is
 * needed.
 */
const MAX_PAYLOAD = 4 * 1024 * 1024

/** Answers the hook that this process was started for, and ends. */
export function answerHook(hooks: Hooks): void {
  const [, , word, name] = process.argv
  // Claude Code's own hooks start without a list of the others.
  if (name === undefined) run(hooks, word, undefined)
  else
    Promise.all([import('../agents/agents.ts'), import('../session/agentsEnv.ts')])
      .then(([{ agentOf }, { agentsEnv }]) => {
        const agent = agentOf(name)
        const env = countingEnv(process.env)
        run(hooks, word, agent, agent ? agentsEnv(env, agent, systemProcesses()) : env)
      })
      .catch((error) => {
        const judges = word !== undefined && hooks[word]?.onFault === 'closed'
        const code = answerUnread(error, judges ? 'judge' : 'hook')
        if (code === undefined) throw error
        exit(code)
      })
}

function run(
  hooks: Hooks,
  word: string | undefined,
  agent: Agent | undefined,
  env = countingEnv(process.env),
): void {
  let bus: Bus | undefined
  const ports = {
    env,
    agent,
    self: { node: process.execPath, script: `${__dirname}/main.js` },
    bus: () => {
      bus ??= systemBus(env)
      return bus
    },
  }
  const reply = runHook(hooks, word, () => readStdin(MAX_PAYLOAD).toString(), ports)
  if (reply instanceof Promise) void reply.then((later) => give(word, later, ports))
  else give(word, reply, ports)
}

/**
 * Ends this process as `process.exit()` does. That one calls functions of Node's that no hook needs,
 * which takes 0.2 ms.
 */
function exit(code: number): never {
  process.emit('exit', code)
  const { reallyExit = process.exit } = process as { reallyExit?: typeof process.exit }
  return reallyExit.call(process, code)
}

function give(word: string | undefined, reply: Reply, ports: HookPorts): void {
  try {
    if (reply.stdout !== undefined) writeOut(1, reply.stdout)
    if (reply.stderr !== undefined) writeOut(2, reply.stderr)
    afterReply(word, reply, ports)
    markStranger(ports, word === 'session-start')
    // All is written and nothing is under way: what Node takes down by itself, the system does
    // faster.
    exit(reply.exit ?? 0)
  } catch {
    // Nobody takes the answer any more: then nothing was presented either.
  }
}
