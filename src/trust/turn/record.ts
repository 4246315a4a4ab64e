import type { Stats } from 'node:fs'
import type { ToolCall } from '../../message/call.ts'
import { fieldOf } from '../../system/json.ts'
import { tellsOrigin } from './origins.ts'
import { grown, partOf, type Read, TAIL_BYTES, tailOf } from './recordFile.ts'

/** No more of a record is read. */
const MOST_BYTES = 512 * 1024 * 1024

/** Enough for what the client wrote last, a prompt that was pasted included. */
const LAST_BYTES = 4 * 1024 * 1024

/** A call's result may be that long, and is behind it. */
const CALL_BYTES = 512 * 1024

/** Words that reached the model, with the record's own word for where they came from. */
export type Spoken = { text: string; said: unknown; version: string | undefined }

/**
 * Words that the client has put aside until the agent takes them up. `at`: Unix time in ms. Of some
 * it writes no text (2.1.329: from a socket, before the model's first answer).
 */
type Queued = { text: string | undefined; at: number; taken: boolean }

/**
 * What the record tells of a turn: the prompt that began it, what joined it before the model began,
 * what came in the middle, and what was queued meanwhile.
 */
export type Told = {
  opening: Spoken
  joined: Spoken[]
  inside: Spoken[]
  queued: Queued[]
  end: Read
}

/**
 * What Claude Code tells of the turn of a prompt in its own record of the conversation
 * (`transcript_path`, a JSON object a line, 2.1.329), however long its lines are; undefined where
 * that has nothing of it, or not yet. `near`: the end of the record has to be enough.
 */
export function toldOf(path: string, promptId: string, near = false): Told | undefined {
  return grown(path, near ? TAIL_BYTES : MOST_BYTES, (tail, isWhole, end) => {
    const own = promptsIn(tail, promptId, isWhole)
    const first =
      own.find(({ entry }) => entry.turnOrigin !== undefined) ??
      own.find(({ entry }) => !tellsOrigin(textIn(entry.version))) ??
      (isWhole ? own.find(({ entry }) => saidIn(entry) !== undefined) : undefined)
    if (!first) return undefined
    const after = tail.subarray(first.at)
    const lines = (text: string) => entriesIn(after, text, true).map(({ entry }) => entry)
    return {
      opening: spokenIn(first.entry),
      joined: own
        .filter((one) => one !== first && saidIn(one.entry) !== undefined)
        .map(({ entry }) => spokenIn(entry)),
      inside: lines('"queued_command"').flatMap(insideIn),
      queued: lines('"queue-operation"').flatMap(queuedIn),
      end,
    }
  })
}

/**
 * The words that a record shows since it was read up to `read`; `isFar`: it has grown by so much that
 * the next look should not begin there. Undefined where this is another file.
 */
export function toldSince(
  path: string,
  promptId: string,
  read: Read,
): { words: Spoken[]; end: Read; isFar: boolean } | undefined {
  const begin = ({ ino, size }: Stats) =>
    ino === read.ino && size >= read.at && size - read.at <= MOST_BYTES ? read.at : undefined
  return partOf(path, begin, (part, _, end) => {
    const whole = part.subarray(0, end.at - read.at)
    const joined = promptsIn(whole, promptId, true)
      .filter(({ entry }) => saidIn(entry) !== undefined)
      .map(({ entry }) => spokenIn(entry))
    const inside = entriesIn(whole, '"queued_command"', true)
    return {
      words: [...joined, ...inside.flatMap(({ entry }) => insideIn(entry))],
      end,
      isFar: part.length > TAIL_BYTES,
    }
  })
}

/** The end of a record, for one that tells nothing of a prompt. */
export function endOf(path: string): Read | undefined {
  return tailOf(path, TAIL_BYTES, (_tail, _isWhole, end) => end)
}

/** The version of the client that wrote the end of the record. */
export function versionIn(path: string): string | undefined {
  return grown(path, LAST_BYTES, (tail, isWhole) =>
    textIn(entriesIn(tail, '"version":"', isWhole).at(-1)?.entry.version),
  )
}

/**
 * Whether the host queued these words since `since` (ISO 8601). Words that another session or a
 * schedule has sent stand in its record before their hook runs; words that a human types while the
 * agent is at work, after it. A line without words may be of any.
 */
export function wasQueued(path: string | undefined, prompt: string, since: string): boolean {
  if (path === undefined) return false
  return lastWith(path, '"queue-operation"')
    .flatMap(queuedIn)
    .some(
      ({ text, at, taken }) =>
        !taken && (text === undefined || text === prompt) && !(at < Date.parse(since)),
    )
}

/**
 * Whether the user has interrupted a turn since `since` (ISO 8601), and not after `until` (Unix
 * time in milliseconds). The host tells of that in an
 * entry of its own, among the user's, that holds nothing else; where words quote it, it is none.
 */
export function wasInterrupted(
  path: string,
  since: string,
  until = Number.POSITIVE_INFINITY,
): boolean {
  return lastWith(path, '[Request interrupted by user').some(
    ({ type, isSidechain, timestamp, message }) =>
      type === 'user' &&
      isSidechain !== true &&
      Date.parse(String(timestamp)) > Date.parse(since) &&
      Date.parse(String(timestamp)) <= until &&
      /^\[Request interrupted by user[^\]]*\]$/.test(onlyText(fieldOf(message, 'content')) ?? ''),
  )
}

/** How a call came to run (`source`, `scope`: the record's own words), and who wrote that. */
export type Decision = { source: unknown; scope: unknown; version: string | undefined }

/** What the record says with the result of a call; undefined while it has none. */
export function decisionOf(path: string, call: string): Decision | undefined {
  const isResult = (one: unknown) =>
    fieldOf(one, 'type') === 'tool_result' && fieldOf(one, 'tool_use_id') === call
  return grown(path, LAST_BYTES, (tail, isWhole) => {
    const found = entriesIn(tail, JSON.stringify(call), isWhole).find(({ entry }) => {
      const content = fieldOf(entry.message, 'content')
      return entry.type === 'user' && Array.isArray(content) && content.some(isResult)
    })
    if (!found) return undefined
    const { permissionDecision: said, version } = found.entry
    return {
      source: fieldOf(said, 'source'),
      scope: fieldOf(said, 'grantScope'),
      version: textIn(version),
    }
  })
}

/**
 * The call that the record of a conversation tells of last, none before `since` (ISO 8601) and none
 * of a subagent's. `at`: when it was made (ISO 8601).
 */
export function lastCall(path: string, since: string): { call: ToolCall; at: string } | undefined {
  const last = grown(path, CALL_BYTES, (tail, isWhole) =>
    entriesIn(tail, '"tool_use"', isWhole)
      .flatMap(({ entry }) => callIn(entry))
      .at(-1),
  )
  return last && Date.parse(last.at) >= Date.parse(since) ? last : undefined
}

function callIn({ type, isSidechain, message, timestamp: at }: Entry) {
  const content = fieldOf(message, 'content')
  if (type !== 'assistant' || isSidechain === true || !Array.isArray(content)) return []
  const used = content.findLast((one) => fieldOf(one, 'type') === 'tool_use')
  const [name, input] = [fieldOf(used, 'name'), fieldOf(used, 'input')]
  return typeof name === 'string' && typeof at === 'string'
    ? [{ call: { name, input: { ...Object(input) } }, at }]
    : []
}

type Entry = Record<string, unknown>

function promptsIn(tail: Buffer, promptId: string, isWhole: boolean) {
  return entriesIn(tail, `"promptId":"${promptId}"`, isWhole).filter(
    ({ entry }) => entry.promptId === promptId && isPrompt(entry),
  )
}

/** Words for the model: a tool's result is in an entry of the user's, too, and a subagent's task. */
function isPrompt({ type, isSidechain, message }: Entry): boolean {
  const content = fieldOf(message, 'content')
  const isResult =
    Array.isArray(content) && content.some((one) => fieldOf(one, 'type') === 'tool_result')
  return type === 'user' && isSidechain !== true && !isResult
}

function saidIn({ turnOrigin, origin }: Entry): unknown {
  return turnOrigin ?? fieldOf(origin, 'kind')
}

function spokenIn(entry: Entry): Spoken {
  const text = wordsIn(fieldOf(entry.message, 'content'))
  return { text, said: saidIn(entry), version: textIn(entry.version) }
}

/** Words that came in the middle of a turn. Those on a `claude -p`'s own input name no origin. */
function insideIn({ attachment, version, entrypoint }: Entry): Spoken[] {
  if (fieldOf(attachment, 'type') !== 'queued_command') return []
  const isInput =
    fieldOf(attachment, 'origin') === undefined &&
    fieldOf(attachment, 'isMeta') !== true &&
    fieldOf(attachment, 'commandMode') === 'prompt' &&
    String(entrypoint).startsWith('sdk')
  const said = isInput ? 'sdk' : fieldOf(fieldOf(attachment, 'origin'), 'kind')
  return [{ text: wordsIn(fieldOf(attachment, 'prompt')), said, version: textIn(version) }]
}

function queuedIn({ type, operation, content, timestamp }: Entry): Queued[] {
  if (type !== 'queue-operation') return []
  const taken = operation !== 'enqueue'
  return [{ text: textIn(content), at: Date.parse(String(timestamp)), taken }]
}

function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((one) => textIn(fieldOf(one, 'text')) ?? '').join('')
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function onlyText(content: unknown): string | undefined {
  return Array.isArray(content) && content.length === 1
    ? textIn(fieldOf(content[0], 'text'))
    : undefined
}

function lastWith(path: string, text: string): Entry[] {
  const find = (tail: Buffer, isWhole: boolean) =>
    entriesIn(tail, text, isWhole).map(({ entry }) => entry)
  return tailOf(path, LAST_BYTES, find) ?? []
}

/**
 * The entries whose lines hold `text`, and where each begins. Only these are read as JSON: the rest
 * is long, and this runs at every tool call. A first line that may be cut is none.
 */
function entriesIn(tail: Buffer, text: string, isWhole: boolean): { entry: Entry; at: number }[] {
  const entries: { entry: Entry; at: number }[] = []
  for (let at = tail.indexOf(text); at >= 0; ) {
    const end = tail.indexOf(0x0a, at)
    const begin = tail.lastIndexOf(0x0a, at) + 1
    const entry =
      begin > 0 || isWhole
        ? objectIn(tail.toString('utf8', begin, end < 0 ? tail.length : end))
        : undefined
    if (entry) entries.push({ entry, at: begin })
    at = end < 0 ? -1 : tail.indexOf(text, end)
  }
  return entries
}

function objectIn(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
