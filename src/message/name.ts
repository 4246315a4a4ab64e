import { CodedError } from '../errors.ts'
import { verbOf } from './verbs.ts'

/** The one rule for names; checked before a name meets a path, a tmux argument or a lock. */
export const NAME_PATTERN = /^[a-z][a-z0-9-]{0,31}$/

/** A session here, or one on another machine: `frontend`, `frontend.b`. */
export const ADDRESS_PATTERN = /^[a-z][a-z0-9-]{0,31}(?:\.[a-z][a-z0-9-]{0,31})?$/

/** The person at the keyboard: always there, joins nothing, has an inbox like anyone else. */
export const HUMAN = 'human'

/** What this program itself says, for example to the human. */
export const PROGRAM = 'agent-chat'

const EVERYBODY = ['all', 'everyone']
const WORDS = ['help', 'read', 'me', 'worker', 'machine', 'ls', 'list', 'ps', HUMAN, PROGRAM]

const RULE = 'a name is 1 to 32 of a-z, 0-9 and -, and starts with a letter'

/**
 * `input` without its leading `@`. Throws `NAME_INVALID` for anything but a name. Reserved names
 * pass: see `parseSessionName`.
 */
export function parseName(input: string): string {
  const name = input.startsWith('@') ? input.slice(1) : input
  if (NAME_PATTERN.test(name)) return name
  throw new CodedError('NAME_INVALID', `${quote(input)} is not a session name`, {
    hint: `${RULE}, for example: ${nameLike(name) ?? 'backend'}${elsewhere(name)}`,
  })
}

/** Most commands are for sessions of this machine: the hint names those for other machines. */
function elsewhere(name: string): string {
  return ADDRESS_PATTERN.test(name)
    ? `; for a session on another machine there are: send, ask, task, reply, status @${name}`
    : ''
}

/** As `parseName()`, and also `name.host` for a session on another machine. */
export function parseAddress(input: string): string {
  const address = input.startsWith('@') ? input.slice(1) : input
  return ADDRESS_PATTERN.test(address) ? address : parseName(input)
}

/**
 * Whether a name is a command's, or a word with a meaning: nobody but this program and the human
 * speaks under one.
 */
export function isReserved(name: string): boolean {
  return EVERYBODY.includes(name) || WORDS.includes(name) || verbOf(name) !== undefined
}

/**
 * A name that a session may join under. Throws `NAME_INVALID`, or `NAME_RESERVED` for commands and
 * words with a meaning.
 */
export function parseSessionName(input: string): string {
  const name = parseName(input)
  if (!isReserved(name)) return name
  const why =
    name === HUMAN
      ? 'it is your own name, with no need to join'
      : `${name} is ${verbOf(name) ? 'a command' : 'a word with a meaning here'}`
  throw new CodedError('NAME_RESERVED', `the name ${name} is reserved`, {
    hint: `${why}; choose another name for a session, for example: ${name === HUMAN ? 'backend' : `${name.slice(0, 28)}-app`}`,
  })
}

/**
 * The name that may have been meant by what is none: small letters, digits and dashes. Undefined
 * where too little is left of it.
 */
export function nameLike(input: string): string | undefined {
  const name = input
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[0-9-]+|-+$/g, '')
    .slice(0, 32)
  return name.length > 1 && NAME_PATTERN.test(name) ? name : undefined
}

/** A name to take instead of one that is taken: `backend-2`. It may be taken, too. */
export function nameBeside(name: string): string {
  return `${name.slice(0, 30)}-2`
}

/**
 * The one recipient of a message, here or on another machine. Throws `BROADCAST_REFUSED` for `@all`, `@everyone` and lists,
 * else as `parseName`.
 */
export function parseRecipient(input: string): string {
  const bare = input.startsWith('@') ? input.slice(1) : input
  if (!EVERYBODY.includes(bare) && !isList(input)) return parseAddress(input)
  throw new CodedError(
    'BROADCAST_REFUSED',
    'a message goes to one session: agent-chat has no broadcast',
    {
      hint: 'it prevents that several agents act on one message; send to the one session that your change affects',
    },
  )
}

/** Names with commas between, or each with its own `@`. */
function isList(input: string): boolean {
  const parts = input.trim().split(/\s*[,;]\s*|\s+(?=@)/)
  return parts.length > 1 && parts.every((part) => part === '' || /^@?[a-z][a-z0-9-]*$/.test(part))
}

/** `text` in quotes, cut and with control characters escaped, fit for a one-line error. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
