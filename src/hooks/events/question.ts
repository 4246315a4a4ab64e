import type { Turn } from '../../session/turn.ts'
import { approvedCauses, sendersText } from '../../trust/sendGate/cause.ts'
import type { Payload } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'

/**
 * The agent puts a question to the human in a turn that a message began: the question says so, else
 * a message could ask in the agent's name.
 */
export function nameAsker(
  ports: HookPorts,
  { tool_input: input }: Payload,
  name: string,
  turn: Turn | undefined,
): Reply {
  if (typeof input !== 'object' || input === null || !('questions' in input)) return SILENT
  if (!Array.isArray(input.questions)) return SILENT
  const senders = sendersText(approvedCauses(ports.bus(), name, turn).senders)
  const from = `[this turn was started by a message from ${senders || 'another session'}]`
  const questions = input.questions.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'question' in one
      ? { ...one, question: `${from} ${String(one.question)}` }
      : one,
  )
  return answer('PreToolUse', { updatedInput: { ...input, questions } })
}
