import { resolve } from 'node:path'
import { type FieldValue, MAX_BODY_BYTES } from '../../message/message.ts'
import { isBlank, visibleLine } from '../../message/visible.ts'
import type { ClientEvent, Result } from '../client/line.ts'

/** What came of a turn: the answer that is sent, or why there is none but this. */
export type Outcome = {
  ok: boolean
  text: string
  /** Why it is no good answer. */
  why?: string
  artifacts: string[]
  tokens: { in: number; out: number }
  usd: number
  conversation: string
}

/** Tools that write the file that they name. */
const WRITERS: Record<string, string> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
}

const MAX_ARTIFACTS = 50
const MAX_PATH = 1000
const SUMMARY_LENGTH = 200
const CUT = '\n\n(The rest was cut: the answer is longer than a message may be.)'

/** Keeps the files that a turn's tool calls have written. */
export function artifactsOf(cwd: string): {
  take: (event: ClientEvent) => void
  paths: () => string[]
} {
  const begun = new Map<string, string>()
  const written = new Set<string>()
  return {
    take: (event) => {
      if (event.type === 'tool_start') {
        const path = event.input[WRITERS[event.tool] ?? '']
        if (typeof path === 'string' && path.length <= MAX_PATH)
          begun.set(event.id, resolve(cwd, path))
      }
      const path = event.type === 'tool_complete' && !event.failed && begun.get(event.id)
      if (path && written.size < MAX_ARTIFACTS) written.add(path)
    },
    paths: () => [...written],
  }
}

/** What a result means. `why`: known better by whoever ended the turn. */
export function outcomeOf(result: Result, artifacts: string[], why?: string): Outcome {
  const { ok, text, tokens, usd, conversation } = result
  const reason = why ?? (ok ? undefined : reasonOf(result))
  const said = isBlank(text) ? 'The worker ended its turn without a word.' : text
  return {
    ok: reason === undefined,
    text: reason === undefined ? said : failure(reason, ok ? text : ''),
    ...(reason === undefined ? {} : { why: reason }),
    ...{ artifacts, tokens, usd, conversation },
  }
}

/** The outcome where the client never came to a result. */
export function lostOutcome(why: string, conversation: string): Outcome {
  const none = { artifacts: [], tokens: { in: 0, out: 0 }, usd: 0 }
  return { ok: false, text: failure(why, ''), why, ...none, conversation }
}

/** The body of the answer, as long as a message may be. */
export function bodyOf({ text }: Outcome): string {
  const bytes = Buffer.from(text.replaceAll('\0', ''))
  if (bytes.length <= MAX_BODY_BYTES) return bytes.toString('utf8')
  const room = MAX_BODY_BYTES - Buffer.byteLength(CUT)
  // A sign that the cut has split is no sign.
  return `${bytes
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}${CUT}`
}

/** The fields of the answer besides its body. */
export function outcomeFields(outcome: Outcome): Record<string, FieldValue> {
  const { artifacts, tokens, usd, conversation, why } = outcome
  return {
    summary: summaryOf(outcome),
    ...(why === undefined ? {} : { failed: why }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    tokens_in: String(tokens.in),
    tokens_out: String(tokens.out),
    cost_usd: usd.toFixed(6),
    conversation,
  }
}

/** The first line of the answer that says something. */
function summaryOf({ text }: Outcome): string {
  const line = text.split('\n').find((one) => !isBlank(one)) ?? ''
  const signs = [...visibleLine(line.trim().replace(/^#+\s*/, ''))]
  return signs.length > SUMMARY_LENGTH
    ? `${signs.slice(0, SUMMARY_LENGTH - 1).join('')}…`
    : signs.join('')
}

function failure(why: string, text: string): string {
  return `I could not finish this: ${why}.${isBlank(text) ? '' : `\n\n${text}`}`
}

/** Why a result is an error, with a name. */
function reasonOf({ kind, status, text, turns }: Result): string {
  const line = text.split('\n')[0]?.trim().replace(/\.$/, '') ?? ''
  if (status === 529) return 'the API is overloaded (529)'
  if (status === 429) return 'the API limits the rate of requests (429)'
  if (kind === 'error_max_turns') return `it took more steps than its definition allows (${turns})`
  if (kind === 'prompt_too_long') return 'the conversation is too long for the model'
  if (kind === 'error_during_execution' && line === '') return 'its turn was interrupted'
  return `${kind}${status === undefined ? '' : ` (${status})`}${line === '' ? '' : `: ${line}`}`
}

/** What is worth another try: faults of the API and of the way to it. */
export function mayPass({ ok, kind, status }: Result): boolean {
  if (ok || kind !== 'api_error') return false
  return status === undefined || status === 408 || status === 429 || status >= 500
}

/** Whether the API, or the client itself, knows no such key or login. */
export function isRefused({ ok, status, text }: Result): boolean {
  return !ok && (status === 401 || status === 403 || /not logged in|run \/login/i.test(text))
}
