import { aboutCall } from '../../message/call.ts'
import type { Message } from '../../message/message.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { sendersText } from '../../trust/sendGate/cause.ts'
import type { Call } from './call.ts'

const YES = 'Yes, this one call'
const REST = 'Yes, and all that it asks for in the rest of this turn'
const NO = 'No'
const LIKE = 'Yes, and for the rest of this turn: '
const ALWAYS = 'Yes, and always in this project: '

/**
 * What a decision offers between the one call and everything. `like`: what a yes may cover for the
 * rest of the turn; `always`: a command for good, with the digest of all that it stands for.
 */
export type Offer = { like?: string | undefined; always?: { text: string; digest: string } }

/** The choices about a call. What some have besides comes last: a person knows the numbers. */
export function optionsFor({ like, always }: Offer): string[] {
  return [
    ...[YES, REST, NO],
    ...(like !== undefined && canBeOffered(like) ? [LIKE + like] : []),
    ...(always && canBeOffered(always.text) ? [ALWAYS + always.text] : []),
  ]
}

/** Longer ones are not offered: an option is a line. In characters. */
const LONGEST = 120

/** Whether a text is shown as it is. */
function canBeOffered(text: string): boolean {
  return text.length <= LONGEST && visibleLine(text) === text && text === text.trim()
}

/** What a choice of the human means; undefined for what is no choice about a call. */
export function choiceOf(
  option: string | undefined,
): 'yes' | 'always' | 'like' | 'rest' | 'no' | undefined {
  if (option === YES) return 'yes'
  if (option === REST) return 'rest'
  if (option === NO) return 'no'
  if (option?.startsWith(LIKE)) return 'like'
  return option?.startsWith(ALWAYS) ? 'always' : undefined
}

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
