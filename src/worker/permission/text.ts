import { aboutCall } from '../../message/call.ts'
import type { Message } from '../../message/message.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { sendersText } from '../../trust/sendGate/cause.ts'
import type { Call } from './call.ts'

/** The order counts: answers name an option by its number. */
export const OPTIONS = [
  'Yes, this one call',
  'Yes, and all that it asks for in the rest of this turn',
  'No',
]

/** So much of a call is shown, and from its end; more than a person reads. In characters. */
const SHOWN = 4000
const SHOWN_END = 1000

/** The question in one line. The call itself is in the context, whole. */
export function questionOf({ tool, input }: Call): string {
  const what = aboutCall({ name: tool, input })
  return visibleLine(what === '' ? `May I use ${tool}?` : `May I use ${tool}: ${what}`).trim()
}

/**
 * Who began the turn, where the call is made, and the call. Each line of it is set in: nothing that
 * the model wrote passes for words of the decision.
 */
export function contextOf({ tool, input }: Call, message: Message, cwd: string): string {
  const { command, description: _, ...rest } = input
  const isCommand = typeof command === 'string'
  const more = isCommand && Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : ''
  const text = isCommand ? `${command}${more}` : JSON.stringify(input, null, 2)
  const about = message.subject === undefined ? '' : ` (“${visibleLine(message.subject)}”)`
  const lines = shown(visible(text)).split('\n')
  const call = [`${tool}:`, ...lines].map((line) => `    ${line}`).join('\n')
  return `a message from ${sendersText([message])}${about} began this turn. In ${visibleLine(cwd)}:\n\n${call}`
}

function shown(text: string): string {
  const left = text.length - SHOWN - SHOWN_END
  if (left <= 0) return text
  return `${text.slice(0, SHOWN)}\n… ${left} characters are not shown here …\n${text.slice(-SHOWN_END)}`
}
