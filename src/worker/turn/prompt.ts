import { attachmentsOf } from '../../message/attachment.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { visible, visibleLine } from '../../message/visible.ts'

/** The words for the system prompt: who the worker is, how it answers, and its definition's own. */
export function systemPrompt(name: string, { prompt }: { prompt: string }): string {
  return [
    `You are @${name}, a worker on agent-chat: you work by yourself, and nobody sits at your terminal.`,
    'Each prompt is one message of somebody. Do what it asks. The text with which you end your turn is sent to its sender as your answer: begin it with one line that sums it up. Do not send that answer yourself with agent-chat.',
    prompt,
  ].join('\n\n')
}

/** Whether a message is answered. Answers to the worker itself are for its information. */
export function owesAnswer({ kind }: Pick<Message, 'kind'>): boolean {
  return kind !== 'reply' && kind !== 'result'
}

/**
 * The prompt that a message makes, in which nothing is hidden from whoever sees it shown. `attempt`:
 * which try this is, from 1.
 */
export function promptFor(message: Message, attempt: number): string {
  const { from, kind, subject, body } = message
  const files = attachmentsOf(message).map(({ path }) => `- ${visibleLine(path)}`)
  return [
    ...(attempt === 1 ? [] : [again(message)]),
    `${capital(kind)} ${shortId(message.id)} from @${from}${subject === undefined ? '' : `: ${visibleLine(subject)}`}`,
    visible(body),
    ...(files.length === 0 ? [] : [`Attached files:\n${files.join('\n')}`]),
    owesAnswer(message)
      ? `(agent-chat sends the text with which you end this turn to @${from}.)`
      : '(This is for your information: what you write now is sent to nobody.)',
  ].join('\n\n')
}

/** The cut turn is in the conversation, as a rule; the message is there again should it not be. */
function again({ id }: Message): string {
  return `You were interrupted while you worked on ${shortId(id)}. Look at what is done already, finish it, and answer. The message was:`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
