import { promptKey, type Witness } from '../../session/witness.ts'
import { wordList } from '../../system/wordList.ts'
import { isNativeRing, isTypedRing, looksLikeTask } from './words.ts'

/**
 * Who spoke. `message`: a doorbell of ours; `client`: the agent goes on with its own work, or ends a
 * task that a turn of the user's has started; `foreign`: another program. `foreign` and `unknown`
 * close a turn.
 */
export type Origin = 'you' | 'message' | 'client' | 'foreign' | 'unknown'

type Kind = 'person' | 'goesOn' | 'task' | 'schedule' | 'foreign'

/**
 * The words for where a prompt came from, as Claude Code's own record spells them (`turnOrigin`,
 * `origin.kind`, read in 2.1.275 to 2.1.332) and as the panel sees them. `sdk` is the argument or
 * standard input of a `claude -p`. A word that is not here is unknown, and `unknown`,
 * `unclassified` are among those.
 */
const KINDS: [Kind, ReturnType<typeof wordList>][] = [
  ['person', wordList('human sdk composer')],
  ['goesOn', wordList('auto_continuation auto-continuation')],
  ['task', wordList('task_notification task-notification')],
  ['schedule', wordList('scheduled scheduled-trigger')],
  [
    'foreign',
    wordList(
      'peer peer-send-message projects-relay session-inbox channel coordinator observer observer-activity slack-ping system plugin host_synthetic voice-call',
    ),
  ],
]

export function kindOf(word: unknown): Kind | undefined {
  if (typeof word !== 'string') return undefined
  return KINDS.find(([, words]) => words.has(word))?.[0]
}

/** The first Claude Code whose record tells. */
const TELLS_FROM = '2.1.275'

/**
 * What proves whose a prompt is, by agent and its first version. Without a record that tells, the
 * prompt hook counts as the user, less what agent-chat has typed or queued itself; `but` is what
 * else is told from the user there.
 */
export const PROOFS: { agent: string; from: string; record?: string; but?: string }[] = [
  { agent: 'claude', from: TELLS_FROM, record: 'turnOrigin, in the record of the conversation' },
  { agent: 'claude', from: '0', but: 'ends of tasks, by their text' },
  { agent: 'codex', from: '0' },
  { agent: 'opencode', from: '0' },
  { agent: 'gemini', from: '0' },
  { agent: 'copilot', from: '0' },
  { agent: 'pi', from: '0' },
  { agent: 'qwen', from: '0', but: 'results of tools and its own continuations, by its state' },
  { agent: 'kilo', from: '0' },
]

/** Whether a client of this version, as its record names it, tells who began a turn. */
export function tellsOrigin(version: string | undefined): boolean {
  const isVersion = version !== undefined && /^\d+\.\d+\.\d+/.test(version)
  return !isVersion || !isBefore(version, TELLS_FROM)
}

export type Prompt = {
  /** The words, as the client gave them to its hook or has them in its record. */
  text: string
  /** The record's word for where they came from, and the version of the client that wrote it. */
  said: unknown
  version: string | undefined
  /** Whether a turn of the user's has made this call, which started a task. */
  isYours: (call: string) => boolean
}

/** The one place that decides who spoke. Text may say that a prompt is a ring of ours, no more. */
export function originOf({ text, said, version, isYours }: Prompt): Origin {
  const told = said !== undefined || tellsOrigin(version)
  switch (told ? kindOf(said) : looksLikeTask(text) ? 'task' : 'person') {
    case 'person':
      return isTypedRing(text) ? 'message' : 'you'
    case 'goesOn':
      return 'client'
    case 'task':
      if (isNativeRing(text)) return 'message'
      return isTaskOf(text, isYours) ? 'client' : 'foreign'
    case 'schedule':
    case 'foreign':
      return 'foreign'
    default:
      return 'unknown'
  }
}

/**
 * Whether each end of a task in these words names a call of the user's. What a monitor prints on its
 * way names no call: that is anybody's text.
 */
function isTaskOf(text: string, isYours: (call: string) => boolean): boolean {
  const [before, ...ends] = text.trim().split('<task-notification>')
  return (
    before === '' && ends.length > 0 && ends.every((end) => isYours(TASK_END.exec(end)?.[1] ?? ''))
  )
}

const TASK_END = /^\n<task-id>[\w-]+<\/task-id>\n<tool-use-id>([\w-]+)<\/tool-use-id>\n/

/** The hook of a prompt comes about 30 ms after the panel has noted it. In milliseconds. */
const FRESH_MS = 60_000

/**
 * What the panel saw this very prompt come from. A note of another prompt says nothing, and a note
 * never makes a prompt the user's: any process of the account can write it.
 */
export function seenKind(
  witness: Witness | undefined,
  prompt: string,
  now: number,
): Kind | undefined {
  const isThis =
    witness !== undefined &&
    witness.key === promptKey(prompt) &&
    Math.abs(now - witness.at) < FRESH_MS
  return isThis ? kindOf(witness.kind) : undefined
}

/** Whether a version of Claude Code is older than another. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((one) => one.split('.').map(Number)) as [number[], number[]]
  for (const [at, part] of b.entries()) if (a[at] !== part) return (a[at] ?? 0) < part
  return false
}
