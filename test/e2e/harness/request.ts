/** A request of the client to `/v1/messages`, as the scripted API saw it. */
export interface ApiRequest {
  /** 0 for the first request of the run. */
  readonly index: number
  /** Milliseconds since the epoch at which the whole request had arrived. */
  readonly at: number
  /**
   * `main`: the conversation itself. `agent`: a subagent's. `side`: what the client asks on its own
   * account (titles, summaries, classifiers), told by its having no tool to run commands or read, and
   * none of ours.
   */
  readonly kind: 'main' | 'agent' | 'side'
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
  /** One entry a message: `role` and all its text, tool calls and tool results included. */
  readonly messages: readonly { role: string; text: string }[]
}

export function parseRequest(index: number, at: number, body: Record<string, unknown>): ApiRequest {
  const messages = list(body.messages).map((message) => ({
    role: String(message.role),
    text: flatten(message.content),
  }))
  return { index, at, kind: kindOf(body), model: String(body.model), body, messages }
}

/**
 * The text that has come since the model last spoke: the prompt, tool results, reminders, whatever
 * their role.
 */
export function newText(request: ApiRequest): string {
  const spoke = request.messages.findLastIndex((message) => message.role === 'assistant')
  return request.messages
    .slice(spoke + 1)
    .map((message) => message.text)
    .join('\n')
}

/**
 * Whether `text` has come since the model last spoke. What stood in the conversation before does
 * not count.
 */
export function hears(request: ApiRequest, text: string): boolean {
  return newText(request).includes(text)
}

/** How often `text` stands in the whole conversation. */
export function countOf(request: ApiRequest, text: string): number {
  const all = request.messages.map((message) => message.text).join('\n')
  return all.split(text).length - 1
}

function kindOf(body: Record<string, unknown>): ApiRequest['kind'] {
  const works = /^(Bash|Read|mcp__agent-chat__\w+)$/
  if (!list(body.tools).some(({ name }) => works.test(String(name)))) return 'side'
  // A subagent has nearly the main conversation's tools; the client marks it in the first line of
  // the system prompt.
  return flatten(body.system).includes('cc_is_subagent=true') ? 'agent' : 'main'
}

function flatten(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((block) => {
      if (typeof block.text === 'string') return block.text
      if (block.type === 'tool_use') return JSON.stringify(block.input)
      return flatten(block.content)
    })
    .join('\n')
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.filter((item) => typeof item === 'object' && item !== null)
    : []
}
