import { NAME_PATTERN } from '../message/name.ts'

/** What people type before they know the words, and what they mean by it, without the program's own name. */
const WORDS: [meant: (name: string) => string, words: string[]][] = [
  [() => 'who', ['list', 'ls', 'ps', 'sessions']],
  [() => 'console', ['chat', 'talk']],
  [() => 'inbox', ['messages', 'read', 'unread']],
  [(name) => `send @${name} "…"`, ['message', 'msg', 'tell', 'write']],
  [() => 'history', ['log', 'logs']],
  [() => 'search <words>', ['find', 'grep']],
  [(name) => name, ['start', 'run', 'new', 'open', 'launch', 'attach']],
  [(name) => `join ${name}`, ['register']],
  [(name) => `leave ${name}`, ['stop', 'quit', 'exit', 'kill', 'close', 'remove', 'delete', 'unregister']],
  [() => 'setup', ['init', 'install']],
  [() => '--version', ['version', '-v']],
  [() => '--help', ['commands', 'usage', 'man', '-?']],
]

/** The line to type instead of a word that is no command, or undefined where nothing is known of it. `next` is the word behind it. */
export function guess(word: string, next: string | undefined): string | undefined {
  const meant = WORDS.find(([, words]) => words.includes(word))?.[0]
  if (meant === undefined) return undefined
  const bare = next?.replace(/^@/, '') ?? ''
  return `agent-chat ${meant(NAME_PATTERN.test(bare) ? bare : '<name>')}`
}
