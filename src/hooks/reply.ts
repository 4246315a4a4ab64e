import type { Said } from '../agents/agent.ts'
import type { HookPorts } from './ports.ts'

/**
 * What a hook answers: text for standard output, text for standard error, and the exit code, where
 * 2 means something to Claude Code.
 * `after` runs once the text has been written: what is only true then.
 */
export type Reply = { stdout?: string; stderr?: string; exit?: 0 | 2; after?: () => void }

/** Nothing to say. */
export const SILENT: Reply = {}

/**
 * Fields of an event's own output, for example facts for the model (`additionalContext`) or
 * directories to watch (`watchPaths`), and a line for the human.
 */
export function answer(event: string, fields: Record<string, unknown>, human?: string): Reply {
  const hookSpecificOutput = { hookEventName: event, ...fields }
  return { stdout: `${JSON.stringify({ systemMessage: human, hookSpecificOutput })}\n` }
}

/** A call goes on without a dialog of the agent's own. */
export function allowed(why: string): Reply {
  return answer('PreToolUse', {
    permissionDecision: 'allow',
    permissionDecisionReason: `agent-chat: ${why}`,
  })
}

/**
 * A line for the human, on the screen at once after a prompt, after the tool else. The model does
 * not see it.
 */
export function notice(text: string): Reply {
  return { stdout: `${JSON.stringify({ systemMessage: text })}\n` }
}

/**
 * The answer as this agent takes it: without fields that it does not know, and, where it would run
 * a call that is to be asked about, refused.
 */
export function fitted(reply: Reply, { agent }: Pick<HookPorts, 'agent'>): Reply {
  if (!agent?.hooks || reply.stdout === undefined) return reply
  const { hookSpecificOutput: said, systemMessage: human }: Answer = JSON.parse(reply.stdout)
  if (said === undefined) return reply
  if (said.permissionDecision === 'ask' && agent.ask === 'decision')
    said.permissionDecision = 'deny'
  return { ...reply, stdout: `${JSON.stringify(agent.hooks.answer(said, human))}\n` }
}

type Answer = { hookSpecificOutput?: Said; systemMessage?: string }
