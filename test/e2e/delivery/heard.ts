import { shortId } from '../../../src/message/shortId.ts'
import { type ApiRequest, newText } from '../harness/request.ts'

/** What a doorbell says, to the byte. */
const RING = /(?:New message|\d+ new messages) from @[a-z0-9-]+(?:, @[a-z0-9-]+)*\. Check inbox\./g
/** The line of the messaging skill's description that quotes the ring. */
const EXAMPLE = 'New message from @name. Check inbox.'
/** The line over a message in the output of `agent-chat inbox`. */
const SHOWN = /── ([a-z]\d[a-z\d]{3,}) ──/g

/**
 * A ring that a model was told of, in which session, the time of the request that told it, and
 * whether that came in the middle of a turn.
 */
export interface HeardRing {
  text: string
  at: number
  name: string
  inTurn: boolean
}

/** The rings in a text, the skill's own example left out. */
export function ringsIn(text: string): string[] {
  return (text.match(RING) ?? []).filter((ring) => ring !== EXAMPLE)
}

/**
 * Every ring that reached a model. A conversation only grows, so a ring that stands in a request
 * and did not in the one before is new; counting what follows the model's last word would count a
 * ring twice whose turn was interrupted.
 */
export function heardRings(requests: readonly ApiRequest[]): HeardRing[] {
  const heard: HeardRing[] = []
  const known = new Map<string, string[]>()
  for (const request of requests) {
    const name = sessionOf(request)
    const conversation = conversationOf(request)
    const rings = ringsIn(request.messages.map(({ text }) => text).join('\n'))
    for (const text of rings.slice(commonStart(known.get(conversation) ?? [], rings)))
      heard.push({ text, at: request.at, name, inTurn: isInTurn(request) })
    known.set(conversation, rings)
  }
  return heard
}

/** Whether the model has called a tool last, and still has to be told what came of it. */
function isInTurn({ messages }: ApiRequest): boolean {
  return (
    messages.findLast(({ role }) => role === 'assistant')?.text.startsWith('{"command":') === true
  )
}

/** The client's own id of the conversation: `/clear` begins another. */
function conversationOf({ body: { metadata } }: ApiRequest): string {
  const user =
    typeof metadata === 'object' && metadata !== null && 'user_id' in metadata
      ? String(metadata.user_id)
      : ''
  return /"session_id":"([^"]+)"/.exec(user)?.[1] ?? ''
}

/**
 * The session whose conversation this is, by the line that names it to its model; empty where none
 * does.
 */
export function sessionOf(request: ApiRequest): string {
  const all = request.messages.map(({ text }) => text).join('\n')
  return /This session is @([a-z0-9-]+) on agent-chat\./.exec(all)?.[1] ?? ''
}

/** The short ids of the messages that the model has seen in its inbox. */
export function shownIds(requests: readonly ApiRequest[]): Set<string> {
  return new Set(
    requests.flatMap((request) => [...newText(request).matchAll(SHOWN)].map(([, id = '']) => id)),
  )
}

/** Whether the model has seen the message of this long id in its inbox. */
export function isShown(requests: readonly ApiRequest[], id: string): boolean {
  return shownIds(requests).has(shortId(id))
}

/** The id of the first message of one kind that is shown in a text, or undefined. */
export function idIn(text: string, kind: string): string | undefined {
  return new RegExp(`── (\\S+) ──\nfrom @[a-z0-9-]+ · ${kind} · `).exec(text)?.[1]
}

/** What a person typed after `/chat`, or undefined. */
export function chatArguments(request: ApiRequest): string | undefined {
  return /<command-args>(.*)<\/command-args>/s.exec(newText(request))?.[1]
}

function commonStart(known: string[], rings: string[]): number {
  // After /clear, or in another conversation, nothing of the one before stands there.
  return known.every((ring, index) => ring === rings[index]) ? known.length : 0
}
