import { parseBody } from '../../bus/mail/draft.ts'
import { inboxJson, jsonForm } from '../../chat/inbox/json.ts'
import { type Inbox, readInbox } from '../../chat/inbox.ts'
import { reply } from '../../chat/reply.ts'
import { send } from '../../chat/send.ts'
import { shortId } from '../../message/shortId.ts'
import { count, flag, NAME_LENGTH, optional, text } from '../fields.ts'
import { type Answer, contentFrom, LIST, NUMBER, SENT, sentAnswer, TEXT, tool } from '../tool.ts'

const URGENT = optional(flag('deliver it in the middle of a turn too'))
const TO = text('a session, as who lists it, for example frontend', NAME_LENGTH)

/** What one look shows, in bytes: few tokens. The rest stays unread. */
const INBOX_BYTES = 8 * 1024

export const sendTool = tool({
  name: 'send',
  description:
    'Send a message to one session. Send only after some work, or ask one question; do not thank.',
  always: true,
  fields: {
    to: TO,
    message: text('what changed, which files, what the recipient has to do'),
    subject: optional(text('one line', 200)),
    question: optional(flag('it is a question: the answer comes as a message')),
    urgent: URGENT,
    queue: optional(flag('keep it for a session that has not joined yet')),
  },
  gives: SENT,
  run: async ({ to, message, subject, question, urgent, queue }, call) => {
    const earlier = call.earlier?.()
    if (earlier) return sentAnswer({ message: earlier })
    const kind = question ? 'question' : undefined
    const request = { recipient: to, subject, kind, priority: priorityOf(urgent), queue }
    return sentAnswer(await send(request, checked(contentFrom(call, message)), call.ports))
  },
})

export const replyTool = tool({
  name: 'reply',
  description: 'Answer a message, in its thread; of a task that you have, it is the result.',
  always: true,
  fields: {
    id: text('the id of the message, as inbox shows it', 200),
    message: text('the answer'),
    question: optional(flag('ask back instead of answering')),
    urgent: URGENT,
  },
  gives: SENT,
  run: async ({ id, message, question, urgent }, call) => {
    const earlier = call.earlier?.()
    if (earlier) return sentAnswer({ message: earlier })
    const request = { id, question, priority: priorityOf(urgent) }
    return sentAnswer(await reply(request, checked(contentFrom(call, message)), call.ports))
  },
})

export const inboxTool = tool({
  name: 'inbox',
  description: 'Read your unread messages, and mark them read.',
  always: true,
  fields: {
    peek: optional(flag('keep them unread')),
    limit: optional(count('so many at most', 100)),
  },
  gives: {
    name: TEXT,
    unread: NUMBER,
    withheld: TEXT,
    messages: LIST,
    rest: LIST,
    more: NUMBER,
    bad: LIST,
  },
  run: async ({ peek, limit }, { ports, afterAnswer }) => {
    let answer: Answer = { success: true }
    const show = (inbox: Inbox, accepted: (id: string) => void) => {
      const { messages, ...data } = inboxJson(inbox, true)
      const shown = messages as { id: string }[]
      const named = shown.map((one) => ({ short_id: shortId(one.id), ...one }))
      answer = { success: true, ...data, messages: named }
      for (const { id } of shown) afterAnswer(() => accepted(id))
    }
    await readInbox({ peek, limit, budget: { bytes: INBOX_BYTES, form: jsonForm } }, ports, show)
    return answer
  },
})

function priorityOf(urgent: boolean | undefined): 'urgent' | undefined {
  return urgent ? 'urgent' : undefined
}

/** A body that no message can have is refused before anything else is looked at. */
function checked(content: ReturnType<typeof contentFrom>): ReturnType<typeof contentFrom> {
  return async () => {
    const { body, extra } = await content()
    return { body: parseBody(Buffer.from(body)), extra }
  }
}
