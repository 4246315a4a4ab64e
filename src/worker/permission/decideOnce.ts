import type { Bus } from '../../bus/bus.ts'
import { record } from '../../bus/history.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import { allowIn, keepAllow } from '../../chat/allow.ts'
import type { PostPorts } from '../../chat/post.ts'
import { isCoded } from '../../errors.ts'
import type { ToolCall } from '../../message/call.ts'
import { callDigest, findAsked } from '../../session/asked.ts'
import { readState } from '../../session/stateFile.ts'
import { digestOf } from '../../system/digest.ts'
import { isErrno } from '../../system/errno.ts'
import { causesOf } from '../../trust/sendGate/cause.ts'
import { askHuman } from './ask.ts'

/**
 * A call of a session's that the human has to allow. `early`: it is asked about again before it
 * runs, so that a yes is not used yet. `like`: what a yes may cover for the rest of the turn, in words.
 */
export type DecideRequest = {
  name: string
  call: ToolCall
  cwd: string
  early?: boolean
  like?: string
}

/** `more`: what the yes is for in the rest of the turn as well. */
export type DecidedOnce =
  | { allow: true; more: 'all' | 'like' | undefined }
  | { allow: false; message: string }

/**
 * Says whether the human has allowed a call, for an agent without a dialog: the first time it is put
 * to them as a decision, and refused. Their answer is a message, which wakes the session; in the
 * turn that this begins, the same call finds its yes or no.
 */
export async function decideOnce(
  { name, call, cwd, early = false, like }: DecideRequest,
  ports: PostPorts,
): Promise<DecidedOnce> {
  const bus = ports.bus()
  const refuse = (message: string): DecidedOnce => ({
    allow: false,
    message: `agent-chat: ${message}`,
  })
  const message = aboutOf(callDigest(call.name, call.input), name, bus)
  if (!message) return refuse('a message began this turn. Read it first: agent-chat inbox')
  const always = alwaysFor(call, cwd, bus)
  const offer = { like, ...(always && { always: always.offer }) }
  const answer = await askHuman(
    {
      ...{ name, message, cwd, offer, limitMs: 0, onWait: () => {}, keepsYes: early },
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
  // What was offered is another thing where its script, or the folder, has changed since.
  if (!early && answer.kind === 'always' && always?.offer.digest === answer.offered)
    keepAllow(always.allow, bus)
  const reason = `decision ${number}`
  if (!early)
    record(bus, 'approved', { name, tool: call.name, by: 'human', rule: 'human approval', reason })
  const more = answer.kind === 'rest' ? 'all' : answer.kind === 'like' ? 'like' : undefined
  return { allow: true, more }
}

/** What a yes for good would allow, where that can be said in a line. */
function alwaysFor({ name, input }: ToolCall, cwd: string, bus: Bus) {
  const text = name.startsWith('mcp__') ? name : name === 'Bash' ? input.command : undefined
  if (typeof text !== 'string' || input.run_in_background) return undefined
  try {
    const allow = allowIn({ text, project: true }, cwd, bus)
    const { words, project, script } = allow
    const digest = digestOf(Buffer.from(JSON.stringify([words, project, script])))
    return { allow, offer: { text, digest } }
  } catch (error) {
    if (isCoded(error, 'USAGE') || isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
}

/** The message that the call is about: one that answers a decision about it, else the newest. */
function aboutOf(digest: string, name: string, bus: ReturnType<PostPorts['bus']>) {
  const { home } = bus
  const reads = causesOf(bus, name, readState(home, name)?.turn)
  const messages = reads.flatMap(({ id }) => messageAt(home.message(id), id, home) ?? []).reverse()
  return messages.find((one) => findAsked(home, name, digest, one)) ?? messages[0]
}
