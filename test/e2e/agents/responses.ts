import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../harness/poll.ts'

/**
 * What a model is asked: the last prompt, what its tools have printed since, and the whole text.
 * `tools`: the names of those that it is offered.
 */
export type Asked = {
  at: number
  prompt: string
  results: string[]
  text: string
  name: string
  tools: string[]
}

/**
 * What it answers: words, at once or over `ms`; a command, for which the human is `asked`; or a
 * call of another tool: of Codex, one of our server of MCP.
 */
export type Answer =
  | { say: string; ms?: number }
  | { run: string; asked?: true }
  | { tool: string; input: Record<string, unknown> }

export type ScriptedModel = {
  url: string
  asked: Asked[]
  /** How many answers the client has cut short. */
  cut(): number
  /** The first request, from `from` on, that matches. */
  waitFor(
    what: string,
    matches: (asked: Asked) => boolean,
    from?: number,
    timeoutMs?: number,
  ): Promise<Asked>
  close(): Promise<void>
}

type Tool = { name?: string; type?: string }
type Item = { role?: string; type?: string; content?: unknown; output?: unknown }

/** A stand-in for the Responses API of OpenAI on loopback. Questions for a title get a short one. */
export function scriptedResponses(rule: (asked: Asked) => Answer): Promise<ScriptedModel> {
  return scriptedModel(rule, serve)
}

export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked[],
  rule: (asked: Asked) => Answer,
) => Promise<void>

/** A model on loopback that answers by `rule`, in the words of one API. */
export async function scriptedModel(
  rule: (asked: Asked) => Answer,
  serve: Serve,
): Promise<ScriptedModel> {
  const asked: Asked[] = []
  let cut = 0
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) cut += 1
    })
    serve(request, response, asked, rule).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    cut: () => cut,
    waitFor: (what, matches, from = 0, timeoutMs = 90_000) =>
      eventually(`a request: ${what}`, () => asked.slice(from).find(matches), {
        timeoutMs,
        state: () =>
          asked.map(({ prompt, results }) => `${prompt} → ${results.join(' | ')}`).join('\n'),
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked[],
  rule: (asked: Asked) => Answer,
): Promise<void> {
  const body = await bodyOf(request)
  if (!request.url?.endsWith('/responses')) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: [], models: [] }))
    return
  }
  const tools = (body.tools ?? []).map((tool) => tool.name ?? tool.type ?? '')
  const name = String(request.headers.authorization)
  const one = { ...askedIn(body.input ?? []), name, tools }
  const isTitle = /^Generate a concise/.test(one.prompt)
  if (!isTitle) asked.push(one)
  await answer(response, isTitle ? { say: 'a title' } : rule(one), asked.length)
}

function askedIn(input: Item[]): Omit<Asked, 'name' | 'tools'> {
  const last = input.findLastIndex((item) => item.role === 'user')
  const prompt = textOf(input[last]?.content)
  const results = input
    .slice(last + 1)
    .filter(({ type = '' }) => type.endsWith('_call_output'))
    .map(({ output }) => textOf(output))
  return { at: Date.now(), prompt, results, text: JSON.stringify(input) }
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content ?? '')
  return content.map((part: unknown) => String(Object(part).text ?? '')).join('\n')
}

async function answer(response: ServerResponse, reply: Answer, number: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = `resp_${number}`
  send('response.created', { response: { id, object: 'response', status: 'in_progress' } })
  const item = itemOf(reply, number)
  const begun = 'say' in reply ? { ...item, content: [] } : item
  send('response.output_item.added', { output_index: 0, item: begun })
  if ('say' in reply) {
    const words = reply.say.split(' ')
    for (const word of words) {
      if (reply.ms) await delay(reply.ms / words.length)
      const delta = { item_id: `msg_${number}`, output_index: 0, content_index: 0 }
      send('response.output_text.delta', { ...delta, delta: `${word} ` })
    }
  }
  send('response.output_item.done', { output_index: 0, item })
  send('response.completed', { response: { id, status: 'completed', output: [item], usage } })
  response.end()
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

function itemOf(reply: Answer, number: number) {
  if ('tool' in reply) {
    const { tool: name, input } = reply
    const call = { call_id: `call_${number}`, name, namespace: 'mcp__agent_chat' }
    return { type: 'function_call', id: `fc_${number}`, ...call, arguments: JSON.stringify(input) }
  }
  if ('run' in reply) {
    const ask = { sandbox_permissions: 'require_escalated', justification: 'May I?' }
    const call = { cmd: reply.run, yield_time_ms: 30_000, ...(reply.asked ? ask : {}) }
    const args = JSON.stringify(call)
    const item = { call_id: `call_${number}`, name: 'exec_command', arguments: args }
    return { type: 'function_call', id: `fc_${number}`, ...item }
  }
  const content = [{ type: 'output_text', text: reply.say, annotations: [] }]
  const message = { role: 'assistant', status: 'completed', content }
  return { type: 'message', id: `msg_${number}`, ...message }
}

export async function bodyOf<Body = { input?: Item[]; tools?: Tool[] }>(
  request: IncomingMessage,
): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}
