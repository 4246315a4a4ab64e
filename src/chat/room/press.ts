import { CodedError } from '../../errors.ts'
import { HUMAN } from '../../message/name.ts'
import { pressedIn } from '../../session/pressed.ts'
import { resumeChain } from '../pause.ts'
import type { Posted } from '../post.ts'
import { reply } from '../reply.ts'
import { type SendPorts, send } from '../send.ts'

/** What a person did in the room: answered, wrote, or released what is held. */
export type Press =
  | { do: 'reply'; id: string; text: string }
  | { do: 'send'; to: string; text: string }
  | { do: 'release'; chain: string }

/**
 * Does it as the human, where the client itself has started this process. Throws `GATE_REFUSED` for
 * any other, `USAGE` for what is none of these, and as `reply()`, `send()` and `resumeChain()`.
 */
export async function press(text: string, given: SendPorts): Promise<Posted | undefined> {
  const request = parsePress(text)
  if (pressedIn(given.bus()) === undefined)
    throw new CodedError('GATE_REFUSED', 'nobody pressed this in the room inside Claude Code', {
      hint: 'answer in a terminal of your own, for example: agent-chat reply 3 2',
    })
  const ports = { ...given, pressed: true as const }
  if (request.do === 'reply')
    return await reply({ id: request.id, from: HUMAN }, request.text, ports)
  if (request.do === 'send')
    return await send({ recipient: request.to, from: HUMAN }, request.text, ports)
  resumeChain(request.chain, ports)
  return undefined
}

/** Every field of a kind is a text. */
const FIELDS = { reply: ['id', 'text'], send: ['to', 'text'], release: ['chain'] } as const

export function parsePress(text: string): Press {
  const value = jsonOf(text)
  const kind =
    typeof value?.do === 'string' && Object.hasOwn(FIELDS, value.do) ? value.do : undefined
  const fields = FIELDS[(kind ?? 'reply') as keyof typeof FIELDS]
  if (kind !== undefined && fields.every((field) => typeof value?.[field] === 'string'))
    return value as Press
  throw new CodedError('USAGE', 'room press expects one JSON object on standard input', {
    hint: 'this command is for the room inside Claude Code; you want: agent-chat reply <id> <text>',
  })
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
