/** One block of an answer: words, or the call of a tool. */
export type Block = { text: string } | { tool: string; input: Record<string, unknown> }

/**
 * What the scripted model answers. `delayMs` keeps the turn busy before the first word, `holdMs`
 * before the last event (the words are on the screen by then). `status` answers with an error of
 * the API instead.
 */
export type Reply =
  | Block
  | readonly Block[]
  | { blocks: readonly Block[]; delayMs?: number; holdMs?: number }
  | { status: number; error: string; message: string }

export interface Script {
  blocks: readonly Block[]
  delayMs: number
  holdMs: number
}

export function toScript(reply: Exclude<Reply, { status: number }>): Script {
  if ('blocks' in reply)
    return { blocks: reply.blocks, delayMs: reply.delayMs ?? 0, holdMs: reply.holdMs ?? 0 }
  return { blocks: Array.isArray(reply) ? reply : [reply as Block], delayMs: 0, holdMs: 0 }
}

/**
 * The server-sent events of one answer, in two parts: what puts it on the screen, and what ends it.
 */
export function toEvents(
  script: Script,
  id: string,
  model: string,
): { head: string; tail: string } {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  const head = [event('message_start', { message: { ...message, usage } })]
  script.blocks.forEach((block, index) => {
    head.push(...blockEvents(block, index, `${id}_${index}`))
  })
  const stop_reason = script.blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn'
  const tail = [
    event('message_delta', {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    event('message_stop', {}),
  ]
  return { head: head.join(''), tail: tail.join('') }
}

function blockEvents(block: Block, index: number, id: string): string[] {
  const content_block =
    'tool' in block
      ? { type: 'tool_use', id: `toolu_${id}`, name: block.tool, input: {} }
      : { type: 'text', text: '' }
  const delta =
    'tool' in block
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text }
  return [
    event('content_block_start', { index, content_block }),
    event('content_block_delta', { index, delta }),
    event('content_block_stop', { index }),
  ]
}

function event(type: string, data: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
