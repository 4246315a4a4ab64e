import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { reasonOf } from '../system/errno.ts'
import type { Stdio } from '../system/stdio.ts'
import type { CallRequest } from './call.ts'
import type { First } from './first.ts'
import type { ABOUT, Listed } from './lists.ts'
import type { Answer, NotAsked } from './tool.ts'
import { Transport } from './transport.ts'

/**
 * What the server of the SDK asks of us. Whatever of it throws has a sentence for the host. The
 * caller gives it, so the SDK's file in `dist/` does not hold our tools a second time.
 */
export type Ours = {
  about: typeof ABOUT
  listed: Listed
  readResource: (uri: string) => Promise<string>
  promptText: (name: string, given: Record<string, string>) => string
  call: (name: string, request: CallRequest) => Promise<Answer>
  /** `call` throws it where a person has to be asked. */
  NotAsked: typeof NotAsked
  /** Nobody is there to be asked. */
  isAlone: boolean
  onStop: (stop: () => void) => void
  /** Runs after each answer, when there is time. */
  tidy: () => void
}

/** What runs once an answer was written out, by the id of its request. */
type After = Map<unknown, (() => void)[]>

/** Goes on with a host until it closes its end, or this process is asked to end. */
export async function serveBySdk(ours: Ours, stdio: Stdio, first: First): Promise<void> {
  const after: After = new Map()
  const calls = new Set<string>()
  const transport = new Transport({
    ...{ stdio, first },
    isBusy: () => [...calls].some((call) => !call.startsWith('consult ')),
    onSent: (message) => {
      if (!('id' in message) || 'method' in message) return
      const works = after.get(message.id) ?? []
      after.delete(message.id)
      for (const work of works) work()
      setImmediate(ours.tidy)
    },
  })
  ours.onStop(() => void transport.close())
  serveStdio(() => server(ours, after, calls), { transport })
  await transport.ended
}

function server(ours: Ours, after: After, calls: Set<string>): Server {
  const { serverInfo, capabilities, instructions } = ours.about
  const made = new Server(serverInfo, { capabilities, instructions })
  const { listed } = ours
  made.setRequestHandler('tools/list', async () => listed['tools/list']())
  made.setRequestHandler('prompts/list', async () => listed['prompts/list']())
  made.setRequestHandler('resources/list', () => told(listed['resources/list']))
  made.setRequestHandler('resources/templates/list', async () =>
    listed['resources/templates/list'](),
  )
  made.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const call = `${params.name} ${ctx.mcpReq.id}`
    calls.add(call)
    try {
      return await answerCall(params.name, params.arguments ?? {}, ctx, made, ours, after)
    } finally {
      // Its answer is written in this very turn of the loop.
      setImmediate(() => calls.delete(call))
    }
  })
  made.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = await told(() => ours.readResource(uri))
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  made.setRequestHandler('prompts/get', async ({ params }) => {
    const text = await told(() => ours.promptText(params.name, params.arguments ?? {}))
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
  return made
}

async function answerCall(
  name: string,
  given: object,
  ctx: ServerContext,
  made: Server,
  ours: Ours,
  after: After,
) {
  const { id, signal, _meta: meta = {} } = ctx.mcpReq
  const works: (() => void)[] = []
  after.set(id, works)
  const request = {
    given,
    callId: callIdOf(meta),
    signal,
    progress: progressOf(ctx, meta.progressToken),
    afterAnswer: (work: () => void) => works.push(work),
    confirm: (question: string) => confirmed(question, ctx, made, ours),
  }
  try {
    const answer = await ours.call(name, request)
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
      structuredContent: answer,
      ...(answer.success ? {} : { isError: true }),
    }
  } catch (error) {
    if (!(error instanceof ours.NotAsked)) throw badRequest(error)
    return inputRequired({ inputRequests: { sure: inputRequired.elicit(yesOrNo(error.message)) } })
  }
}

/** What the host calls this very call: it is the same where it calls again. */
function callIdOf(meta: Record<string, unknown>): string | undefined {
  const id = meta['claudecode/toolUseId'] ?? meta['agent-chat/callId']
  return typeof id === 'string' && id !== '' ? id : undefined
}

function progressOf(ctx: ServerContext, token: string | number | undefined) {
  let progress = 0
  return (message: string) => {
    if (token === undefined) return
    progress += 1
    const params = { progressToken: token, progress, message }
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

const yesOrNo = (message: string) => ({
  message,
  requestedSchema: {
    type: 'object' as const,
    properties: { yes: { type: 'boolean' as const, title: 'Yes, do it' } },
    required: ['yes'],
  },
})

/** The person's answer. A `claude -p` says that it can ask them, and then waits for ever. */
function confirmed(
  question: string,
  { mcpReq }: ServerContext,
  made: Server,
  { isAlone, NotAsked }: Pick<Ours, 'isAlone' | 'NotAsked'>,
): boolean | undefined {
  const answered = mcpReq.inputResponses?.sure
  if (answered !== undefined) {
    const { action, content } = Object(answered)
    return action === 'accept' && Object(content).yes === true
  }
  const declared =
    Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY] ?? made.getClientCapabilities()
  if (Object(declared).elicitation === undefined || isAlone) return undefined
  throw new NotAsked(question)
}

/** What `work` gives, or what it throws as the answer of the protocol. */
async function told<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw badRequest(error)
  }
}

function badRequest(error: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, reasonOf(error))
}
