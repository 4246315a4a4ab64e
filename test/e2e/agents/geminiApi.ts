import { stream } from './chat.ts'
import { type Answer, type Asked, bodyOf, type Serve, scriptedModel } from './responses.ts'

type Part = { text?: string; functionResponse?: { response?: unknown } }
type Content = { role?: string; parts?: Part[] }
type Tools = { functionDeclarations?: { name?: string }[] }
type Body = { contents?: Content[]; tools?: Tools[] }

/** A stand-in for the Gemini API on loopback. */
export function scriptedGemini(rule: (asked: Asked) => Answer) {
  return scriptedModel(rule, serve)
}

const serve: Serve = async (request, response, asked, rule) => {
  const body = await bodyOf<Body>(request)
  const path = request.url?.split('?')[0] ?? ''
  const streams = path.endsWith(':streamGenerateContent')
  const offered = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? [])
  const one = {
    ...askedIn(body.contents ?? []),
    name: String(request.headers['x-goog-api-key']),
    tools: offered.map((tool) => tool.name ?? ''),
  }
  const own = (body.tools ?? []).length === 0
  if (!own) asked.push(one)
  // Requests without tools are the client's own.
  const reply: Answer = own ? { say: 'ok' } : rule(one)
  const chunk = (parts: object[], end: boolean) => ({
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(end ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'fake',
  })
  if (!streams) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(chunk([{ text: 'ok' }], true)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (parts: object[], end: boolean) =>
    response.write(`data: ${JSON.stringify(chunk(parts, end))}\n\n`)
  if ('say' in reply) {
    await stream(reply, (text) => send([{ text }], false))
    send([{ text: '.' }], true)
  } else if ('tool' in reply) {
    throw new Error(`no tool ${reply.tool} here`)
  } else {
    const command = 'run' in reply ? reply.run : ''
    const args = { command, description: 'scripted' }
    const call = { id: `call_${asked.length}`, name: 'run_shell_command', args }
    send([{ functionCall: call }], true)
  }
  response.end()
}

function askedIn(contents: Content[]): Omit<Asked, 'name' | 'tools'> {
  const isResult = ({ parts = [] }: Content) => parts.some((part) => part.functionResponse)
  const last = contents.findLastIndex((content) => content.role === 'user' && !isResult(content))
  const later = contents.slice(last + 1).filter(isResult)
  return {
    at: Date.now(),
    prompt: (contents[last]?.parts ?? []).map(({ text = '' }) => text).join('\n'),
    results: later.map(({ parts }) => JSON.stringify(parts)),
    text: JSON.stringify(contents),
  }
}
