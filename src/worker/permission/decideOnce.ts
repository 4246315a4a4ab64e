import { record } from '../../bus/history.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import type { PostPorts } from '../../chat/post.ts'
import type { ToolCall } from '../../message/call.ts'
import { callDigest, findAsked } from '../../session/asked.ts'
import { readState } from '../../session/stateFile.ts'
import { causesOf } from '../../trust/sendGate/cause.ts'
import { askHuman } from './ask.ts'

/**
 * A call of a session's that the human has to allow. `early`: it is asked about again before it
 * runs, so that a yes is not used yet.
 */
export type DecideRequest = { name: string; call: ToolCall; cwd: string; early?: boolean }

/** `rest`: whatever it asks for in the rest of the turn as well. */
export type DecidedOnce = { allow: true; rest: boolean } | { allow: false; message: string }

/**
 * Says whether the human has allowed a call, for an agent without a dialog: the first time it is put
 * to them as a decision, and refused. Their answer is a message, which wakes the session; in the
 * turn that this begins, the same call finds its yes or no.
 */
export async function decideOnce(
  { name, call, cwd, early = false }: DecideRequest,
  ports: PostPorts,
): Promise<DecidedOnce> {
  const bus = ports.bus()
  const refuse = (message: string): DecidedOnce => ({
    allow: false,
    message: `agent-chat: ${message}`,
  })
  const message = aboutOf(callDigest(call.name, call.input), name, bus)
  if (!message) return refuse('a message began this turn. Read it first: agent-chat inbox')
  const answer = await askHuman(
    {
      ...{ name, message, cwd, limitMs: 0, onWait: () => {}, keepsYes: early },
      call: { tool: call.name, input: call.input, reason: '' },
      signal: new AbortController().signal,
    },
    ports,
  )
  const { number } = answer
  if (answer.kind === 'none')
    return refuse(
      `your user decides about this: decision ${number}. End your turn now and say what you would do. Their answer wakes you; then make exactly the same call again`,
    )
  if (answer.kind === 'no') {
    const words = answer.words === '' ? '' : `: “${answer.words}”`
    return refuse(`your user said no (decision ${number})${words}. Do not try it in another way`)
  }
  const reason = `decision ${number}`
  if (!early)
    record(bus, 'approved', { name, tool: call.name, by: 'human', rule: 'human approval', reason })
  return { allow: true, rest: answer.kind === 'rest' }
}

/** The message that the call is about: one that answers a decision about it, else the newest. */
function aboutOf(digest: string, name: string, bus: ReturnType<PostPorts['bus']>) {
  const { home } = bus
  const reads = causesOf(bus, name, readState(home, name)?.turn)
  const messages = reads.flatMap(({ id }) => messageAt(home.message(id), id, home) ?? []).reverse()
  return messages.find((one) => findAsked(home, name, digest, one)) ?? messages[0]
}
