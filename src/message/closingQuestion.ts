import { isKnownLanguage } from './knownLanguage.ts'
import { ANSWERS, LANGUAGES, LEANS, LEAVES_OPEN } from './questionWords.ts'

/** A question further up is a report's own: so many paragraphs and sentences from the end count. */
const LAST_BLOCKS = 3
const LAST_SENTENCES = 6

/** An agent's last words; no more of them is looked at. In characters. */
const MAX_TEXT = 4000
const MAX_QUESTION = 200

/** What is said of a turn whose last words may be a question, in a language that no rule knows. */
export const ENDED = 'ended its turn'

type Block = { lines: string[]; isList: boolean }

/**
 * The question to the reader with which a text ends, or the request for their choice, in at most 200
 * characters; undefined where it only reports or offers. Of a text in a language that the rules do
 * not know, that it ended, and its end. Code, quotes, headings and what was asked
 * of others are not in it. A question whose answer follows is rhetorical, unless it asks for the
 * reader's own word or stays open.
 */
export function closingQuestion(text: string): string | undefined {
  const plain = plainOf(text.slice(-MAX_TEXT))
  const blocks = withoutAskedElsewhere(blocksOf(plain))
  const tail = blocks.slice(-LAST_BLOCKS)
  const sentences = tail.flatMap(({ lines }) => lines.flatMap(sentencesOf))
  const last = sentences.length - 1
  const end = LEANS.test(sentences[last] ?? '') ? last - 1 : last
  const from = Math.max(0, last - LAST_SENTENCES - listed(tail))
  for (let at = last; at >= from; at--) {
    const sentence = sentences[at] as string
    if (wantsReader(sentence, at >= end, sentences[at + 1])) return cut(sentence)
  }
  return isKnownLanguage(plain) ? undefined : cut(`${ENDED}: ${sentences.at(-1)}`)
}

/**
 * Whether a sentence wants the reader's word. Any question does that is the last sentence, or that
 * the `next` one leaves open.
 */
function wantsReader(sentence: string, isLast: boolean, next = ''): boolean {
  const has = (kind: keyof (typeof LANGUAGES)[number]) =>
    LANGUAGES.some((language) => language[kind].test(sentence))
  if (isAddressedElsewhere(sentence) || has('offers')) return false
  const asks = /[?？؟]["”»)\s]*$/.test(sentence)
  if (asks && ANSWERS.test(next)) return false
  if (has('reports')) return asks && endsAnew(sentence)
  return has('requests') || (asks && (isLast || has('asks') || LEAVES_OPEN.test(next)))
}

/** A report may go on with a question to the reader: "I asked @backend, but shall I go ahead?" */
function endsAnew(sentence: string): boolean {
  const clause = /[,;–—]\s*([^,;–—:]*)$/.exec(sentence)?.[1]
  return clause !== undefined && LANGUAGES.some(({ asks }) => asks.test(clause))
}

/** "@backend, which port?" is a question to @backend. */
function isAddressedElsewhere(sentence: string): boolean {
  return /^\W*@(?!human\b)[a-z][a-z0-9-]*\s*[,:–—]/i.test(sentence)
}

/** What can be judged as prose: no code, no quotes, no addresses, no marks of emphasis. */
function plainOf(text: string): string {
  return text
    .replace(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, '')
    .replace(/^\s*(>|\||#{1,6}\s).*$/gm, '')
    .replace(HEADING, '')
    .replace(/`[^`\n]*`/g, 'it')
    .replace(/\bhttps?:\/\/\S+/g, 'it')
    .replace(/["“„«「『][^"”“»」』\n]*[?？][^"”“»」』\n]*["”“»」』]/g, 'it')
    .replace(/\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, '')
}

/** A line in bold with its text below it, as in a list of questions and answers. */
const HEADING = /^\s*(\*\*|__)[^*_\n]+\1:?[ \t]*$(?=\n(?!\s*([-*•]|\d{1,2}[.)])\s)\s*\S)/gm

const LIST = /^\s*([-*•]|\d{1,2}[.)]|[A-Ha-h][.)])\s+/

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const paragraph of text.split(/\n\s*\n/)) {
    for (const line of paragraph.split('\n').filter((one) => one.trim() !== '')) {
      const isList = LIST.test(line)
      const before = blocks.at(-1)
      if (before && isList && before.isList) before.lines.push(line.replace(LIST, ''))
      else if (before && !isList && !before.isList && !isFirst(paragraph, line))
        before.lines.push(line)
      else blocks.push({ lines: [line.replace(LIST, '')], isList })
    }
  }
  return blocks
}

function isFirst(paragraph: string, line: string): boolean {
  return paragraph.trimStart().startsWith(line.trim())
}

/** A list belongs to the line above it: what that says was sent to another is no question here. */
function withoutAskedElsewhere(blocks: Block[]): Block[] {
  return blocks.filter(({ isList }, at) => {
    const lead = isList ? blocks[at - 1]?.lines.at(-1) : undefined
    return lead === undefined || !LANGUAGES.some(({ reports }) => reports.test(lead))
  })
}

/** Options below a question do not push it out of sight. */
function listed(blocks: Block[]): number {
  return blocks.reduce((sum, { isList, lines }) => sum + (isList ? lines.length : 0), 0)
}

function sentencesOf(line: string): string[] {
  return line
    .split(/(?<=[.!?؟][)"”»]?)\s+|(?<=[。！？])/)
    .map((one) => one.trim())
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
}

function cut(sentence: string): string {
  return sentence.length <= MAX_QUESTION ? sentence : `${sentence.slice(0, MAX_QUESTION - 1)}…`
}
