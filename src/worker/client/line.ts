import { jsonOf } from '../../system/json.ts'

/** What a client tells while it works, as far as a worker wants to know. */
export type ClientEvent =
  | { type: 'init'; version: string; model: string; conversation: string; tools: string[] }
  | { type: 'requesting' }
  | { type: 'text'; text: string }
  | { type: 'tool_start'; id: string; tool: string; input: Fields }
  | { type: 'tool_complete'; id: string; tool: string; failed: boolean }
  | { type: 'asks'; id: string; tool: string; input: Fields; reason: string }
  | { type: 'withdraws'; id: string }
  | { type: 'retry'; attempt: number; of: number; error: string; status: number | undefined }
  /** Nothing was heard of it for too long: its turn is being ended. */
  | { type: 'silent'; why: string }
  /** The API has said nothing for a while, or is heard again. */
  | { type: 'quiet'; is: boolean }
  | { type: 'result'; result: Result }

/**
 * How a turn ended: `kind` is the client's `subtype`, or its `terminal_reason` where that says more.
 */
export type Result = {
  ok: boolean
  kind: string
  text: string
  status: number | undefined
  turns: number
  /** Since the result before. */
  tokens: { in: number; out: number }
  usd: number
  conversation: string
}

type Fields = Record<string, unknown>

/** What one line of `--output-format stream-json` tells; nothing where it is no such line. */
export function parseLine(line: string): ClientEvent[] {
  const told = fields(jsonOf(line))
  // A subagent's words and tools are part of the tool that started it.
  const own = told.parent_tool_use_id === undefined || told.parent_tool_use_id === null
  switch (told.type) {
    case 'system':
      return systemEvents(told)
    case 'stream_event':
      return own ? textEvents(fields(told.event)) : []
    case 'assistant':
      return own ? toolStarts(told) : []
    case 'user':
      return own ? toolEnds(told) : []
    case 'control_request':
      return permission(told)
    case 'control_cancel_request':
      return [{ type: 'withdraws', id: text(told.request_id) }]
    case 'result':
      return [{ type: 'result', result: resultOf(told) }]
    default:
      return []
  }
}

function systemEvents(told: Fields): ClientEvent[] {
  if (told.subtype === 'init')
    return [
      {
        type: 'init',
        version: text(told.claude_code_version),
        model: text(told.model),
        conversation: text(told.session_id),
        tools: list(told.tools).filter((tool) => typeof tool === 'string'),
      },
    ]
  if (told.subtype === 'status' && told.status === 'requesting') return [{ type: 'requesting' }]
  if (told.subtype !== 'api_retry') return []
  return [
    {
      type: 'retry',
      attempt: number(told.attempt),
      of: number(told.max_retries),
      error: text(told.error),
      status: typeof told.error_status === 'number' ? told.error_status : undefined,
    },
  ]
}

function textEvents(event: Fields): ClientEvent[] {
  const delta = fields(event.delta)
  return event.type === 'content_block_delta' && delta.type === 'text_delta'
    ? [{ type: 'text', text: text(delta.text) }]
    : []
}

function toolStarts(told: Fields): ClientEvent[] {
  return blocks(told)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      type: 'tool_start',
      id: text(id),
      tool: text(name),
      input: fields(input),
    }))
}

function toolEnds(told: Fields): ClientEvent[] {
  return blocks(told)
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, is_error }) => ({
      type: 'tool_complete',
      id: text(tool_use_id),
      tool: '',
      failed: is_error === true,
    }))
}

function permission(told: Fields): ClientEvent[] {
  const request = fields(told.request)
  if (request.subtype !== 'can_use_tool') return []
  return [
    {
      type: 'asks',
      id: text(told.request_id),
      tool: text(request.tool_name),
      input: fields(request.input),
      reason: text(request.decision_reason),
    },
  ]
}

function resultOf(told: Fields): Result {
  const subtype = text(told.subtype)
  const usage = fields(told.usage)
  const errors = list(told.errors).filter((error) => typeof error === 'string')
  const ended = text(told.terminal_reason)
  return {
    // An error of the API comes as a success that is an error.
    ok: told.is_error !== true && subtype === 'success',
    kind: subtype === 'success' && told.is_error === true ? ended || 'error' : subtype,
    text: text(told.result) || errors.join('; '),
    status: typeof told.api_error_status === 'number' ? told.api_error_status : undefined,
    turns: number(told.num_turns),
    tokens: { in: number(usage.input_tokens), out: number(usage.output_tokens) },
    usd: spent(told),
    conversation: text(told.session_id),
  }
}

/** The total is of the whole conversation, and forgets at a kill; each model tells what is new. */
function spent(told: Fields): number {
  const models = Object.values(fields(told.model_usage_since_last_result))
  return models.reduce<number>((sum, model) => sum + number(fields(model).costUSD), 0)
}

function blocks(told: Fields): Fields[] {
  return list(fields(told.message).content).map(fields)
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
