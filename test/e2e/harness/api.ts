import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from './poll.ts'
import { type Block, type Reply, toEvents, toScript } from './reply.ts'
import { type ApiRequest, newText, parseRequest } from './request.ts'

/**
 * Decides an answer. It may wait for something of the test's own before it answers: until then the
 * turn is busy.
 */
export type Rule = (request: ApiRequest) => Reply | Promise<Reply>

export interface ScriptedApi {
  readonly url: string
  /** Every request so far, those of the client's own account included. */
  readonly requests: readonly ApiRequest[]
  /** The requests of the conversation itself. */
  main(): ApiRequest[]
  /**
   * The first request that `matches`, once it has come. `from` skips the requests before that
   * index.
   */
  waitFor(
    what: string,
    matches: (request: ApiRequest) => boolean,
    options?: { timeoutMs?: number; from?: number },
  ): Promise<ApiRequest>
  setRule(rule: Rule): void
  close(): Promise<void>
}

/**
 * A stand-in for the Messages API on a free port of the loopback. `rule` answers the conversation
 * and its subagents; what the client asks on its own account gets a short text.
 */
export async function scriptedApi(rule: Rule): Promise<ScriptedApi> {
  const requests: ApiRequest[] = []
  const state = { rule }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, requests, state).catch((error: unknown) =>
      outgoing.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the scripted API has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    main: () => requests.filter((request) => request.kind === 'main'),
    waitFor: (what, matches, { timeoutMs, from = 0 } = {}) =>
      eventually(
        `a request: ${what}`,
        () => requests.find((request) => request.index >= from && matches(request)),
        {
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          state: () => summary(requests),
        },
      ),
    setRule: (next) => {
      state.rule = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requests: ApiRequest[],
  state: { rule: Rule },
): Promise<void> {
  const body = await readJson(incoming)
  if (incoming.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(incoming.url ?? '')) {
    json(outgoing, 200, { input_tokens: 10 })
    return
  }
  const request = parseRequest(requests.length, Date.now(), body)
  requests.push(request)
  const reply = request.kind === 'side' ? { text: 'ok' } : await state.rule(request)
  if ('status' in reply) {
    json(outgoing, reply.status, {
      type: 'error',
      error: { type: reply.error, message: reply.message },
    })
    return
  }
  await answer(outgoing, request, reply)
}

async function answer(
  outgoing: ServerResponse,
  request: ApiRequest,
  reply: Exclude<Reply, { status: number }>,
): Promise<void> {
  const script = toScript(reply)
  const { head, tail } = toEvents(script, `msg_${request.index}`, request.model)
  if (request.body.stream !== true) {
    json(outgoing, 200, wholeMessage(request, script.blocks))
    return
  }
  // A client that hangs up (the user pressed Escape) must not keep the delay alive.
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const pause = (ms: number) => delay(ms, undefined, { signal: gone.signal }).catch(() => undefined)
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  if (script.delayMs > 0) await pause(script.delayMs)
  outgoing.write(head)
  if (script.holdMs > 0) await pause(script.holdMs)
  outgoing.end(tail)
}

function wholeMessage(request: ApiRequest, blocks: readonly Block[]): Record<string, unknown> {
  const content = blocks.map((block) => ({ type: 'text', text: 'text' in block ? block.text : '' }))
  const usage = { input_tokens: 10, output_tokens: 1 }
  return {
    id: `msg_${request.index}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  }
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  const value: unknown = text === '' ? {} : JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function json(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(value))
}

function summary(requests: readonly ApiRequest[]): string {
  const lines = requests.map(
    (request) => `  ${request.index} ${request.kind} ${newText(request).slice(-160)}`,
  )
  return [`${requests.length} requests so far, each with the end of its new text:`, ...lines].join(
    '\n',
  )
}
