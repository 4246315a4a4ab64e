import { nearest } from '../../message/nearest.ts'
import { SLASH_COMMANDS, SLASH_WORDS } from './commands.ts'

/** What a line asks for. `to` is undefined for the last addressee; nothing in it is checked yet. */
export type Intent =
  | { do: 'nothing' | 'inbox' | 'help' | 'quit' }
  | { do: 'send' | 'task' | 'ask'; to: string | undefined; text: string }
  | { do: 'address' | 'open'; to: string }
  | { do: 'reply'; id: string; text: string }
  | { do: 'decision'; number: number }
  | { do: 'run'; argv: string[] }
  | { do: 'wrong'; why: string; hint: string }

/**
 * Reads one line of input; a pasted message may have several lines. `open`: the numbers of the
 * decisions that wait. While one does, a number alone is more likely an answer than a message.
 */
export function parseInput(input: string, open: readonly number[] = []): Intent {
  const text = input.trim()
  if (text === '') return { do: 'nothing' }
  if (text.startsWith('@')) return addressed(text)
  if (text.startsWith('/')) return command(text)
  const [, number, answer = ''] = /^#(\d{1,5})(?:\s+([\s\S]+))?$/.exec(text) ?? []
  if (number !== undefined) {
    return answer === ''
      ? { do: 'decision', number: Number(number) }
      : { do: 'reply', id: number, text: answer }
  }
  const meant = bareWord(text)
  if (meant === undefined) return misplacedAnswer(text, open) ?? { do: 'send', to: undefined, text }
  return {
    do: 'wrong',
    why: `${text} alone would be a message`,
    hint: `did you mean /${meant}? To send it: @name ${text}`,
  }
}

function misplacedAnswer(text: string, open: readonly number[]): Intent | undefined {
  const [, first, second] = /^(\d{1,5})(?:\s+(\d{1,5}))?$/.exec(text) ?? []
  const number = second === undefined ? open[0] : open.find((one) => one === Number(first))
  if (first === undefined || number === undefined) return undefined
  return {
    do: 'wrong',
    why: `${second ?? first} is not sent: it may be meant for decision ${number}`,
    hint: `to answer it: #${number} ${second ?? first}; to send the number: @name ${text}`,
  }
}

/** The command that is meant by a word that people type alone; nobody writes on behind it. */
export function bareWord(line: string): string | undefined {
  const word = line.trim().toLowerCase()
  return Object.hasOwn(BARE, word) ? BARE[word] : undefined
}

/** What people type alone to leave a program, or to learn of it; an agent would be woken by it. */
const BARE: Record<string, string> = {
  ...{ exit: 'quit', quit: 'quit', q: 'quit', ':q': 'quit', ':wq': 'quit', ':q!': 'quit' },
  ...{ help: 'help', who: 'who', tasks: 'tasks', inbox: 'inbox' },
}

/** `@name [/task|/ask] [text]`. Any other slash behind a name is text: a path, most likely. */
function addressed(text: string): Intent {
  const [to, rest] = firstWord(text)
  if (rest === '') return { do: 'address', to }
  const [word, body] = firstWord(rest)
  if (word === '/task' || word === '/ask') return told(word === '/task' ? 'task' : 'ask', to, body)
  return { do: 'send', to, text: rest }
}

function command(text: string): Intent {
  const [first, rest] = firstWord(text)
  const word = ALIASES[first.slice(1)] ?? first.slice(1)
  // As it was called before.
  if (word === 'resume')
    return { do: 'run', argv: [rest === '' ? 'unpause' : 'release', ...argumentsIn(rest)] }
  const known = SLASH_COMMANDS.find((one) => one.word === word)
  if (known === undefined) return unknown(first)
  if (known.runs) return { do: 'run', argv: [word, ...argumentsIn(rest)] }
  if (word === 'help' || word === 'quit' || word === 'inbox') return { do: word }
  if (word === 'reply') return reply(rest)
  const [to, body] = firstWord(rest)
  if (word === 'open' && to !== '') return { do: 'open', to: to.replace(/^@/, '') }
  if (!to.startsWith('@'))
    return { do: 'wrong', why: `no recipient: ${known.usage}`, hint: 'begin the name with @' }
  return told(word === 'task' ? 'task' : 'ask', to, body)
}

const ALIASES: Record<string, string> = {
  ...{ exit: 'quit', q: 'quit', '?': 'help', answer: 'reply', start: 'up' },
}

function told(what: 'task' | 'ask', to: string, text: string): Intent {
  if (text !== '') return { do: what, to, text }
  return { do: 'wrong', why: `what? ${to} /${what} text`, hint: 'put the text after the command' }
}

function reply(rest: string): Intent {
  const [id, text] = firstWord(rest)
  if (id === '' || text === '')
    return {
      do: 'wrong',
      why: 'reply needs an id and text: /reply <id> text',
      hint: 'Tab completes ids',
    }
  return { do: 'reply', id, text }
}

function unknown(word: string): Intent {
  const near = nearest(word.slice(1), SLASH_WORDS)
  const meant = near === undefined ? 'see /help' : `did you mean /${near}`
  return {
    do: 'wrong',
    why: `there is no command ${word}`,
    hint: `${meant}; to send this as text: @name ${word} …`,
  }
}

function firstWord(text: string): [word: string, rest: string] {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  return [word, rest]
}

/** Words with blanks between; what stands in quotes is one. No shell reads them. */
function argumentsIn(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
