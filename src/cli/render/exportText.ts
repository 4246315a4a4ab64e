import { attachmentsOf } from '../../message/attachment.ts'
import { messageJson } from '../../message/json.ts'
import type { Message } from '../../message/message.ts'
import { fullKindOf } from '../../message/priority.ts'
import { grouped } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'

/**
 * How an export is written: what stands before the first message, between two, and behind the last.
 */
export type ExportForm = {
  head: string
  message: (message: Message) => string
  between: string
  tail: string
  none: string
}

/** Signs that markdown could take for more than text. */
const MARKUP = /[\\`*_{}[\]<>()#+\-.!|~&$]/g

export const EXPORT_FORMS = {
  markdown: { head: '# Messages\n', message: markdown, between: '', tail: '', none: '\nNone.\n' },
  json: {
    head: '{"messages":[\n',
    message: (message: Message) => JSON.stringify(messageJson(message)),
    between: ',\n',
    tail: '\n]}\n',
    none: '',
  },
} as const satisfies Record<string, ExportForm>

/**
 * A section. The body is quoted line by line, so that nothing in it can pass for another message;
 * its own markdown stays what it is.
 */
function markdown(message: Message): string {
  const { id, from, to, thread, inReplyTo, subject, timestamp, body } = message
  const time = `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
  const facts = [
    `\`${id}\``,
    ...(inReplyTo === undefined ? [] : [`in reply to \`${inReplyTo}\``]),
    ...(thread === id ? [] : [`thread \`${thread}\``]),
  ].join(' · ')
  const attached = attachmentsOf(message).map(
    ({ path, bytes, sha256 }) =>
      `- attached: ${plain(path)} · ${grouped(bytes)} bytes · sha256 \`${sha256}\`\n`,
  )
  const about = subject === undefined ? '' : `**${plain(subject).trim()}**\n\n`
  const quoted = visible(body)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  return `\n## ${time} · @${from} → @${to} · ${fullKindOf(message)}\n\n${facts}\n\n${attached.length === 0 ? '' : `${attached.join('')}\n`}${about}${quoted}\n`
}

function plain(text: string): string {
  return visibleLine(text).replaceAll(MARKUP, '\\$&')
}
