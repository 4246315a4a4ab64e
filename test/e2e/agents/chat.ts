import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Asked, bodyOf, type Serve, scriptedModel, textOf } from './responses.ts'

type Message = { role: string; content?: unknown }
type Tool = { function?: { name?: string } }
type Body = { messages?: Message[]; tools?: Tool[]; stream?: boolean }

/** The tools that run a command, by the names that agents give them. */
const SHELLS = ['bash', 'run_shell_command', 'shell', 'Shell', 'execute', 'developer__shell']

/** A stand-in for the Chat Completions API of OpenAI on loopback. */
export function scriptedChat(rule: (asked: Asked) => Answer) {
  return scriptedModel(rule, serve)
}

const serve: Serve = async (request, response, asked, rule) => {
  const body = await bodyOf<Body>(request)
  if (!request.url?.endsWith('/chat/completions')) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'fake', object: 'model' }] }))
    return
  }
  const tools = (body.tools ?? []).map((tool) => tool.function?.name ?? '')
  const name = String(request.headers.authorization)
  const one = { ...askedIn(body.messages ?? []), name, tools }
  // A request without tools is for a title.
  if (tools.length > 0) asked.push(one)
  const reply = tools.length > 0 ? rule(one) : { say: 'a title' }
  const base = { id: `chat_${asked.length}`, created: 1, model: 'fake' }
  const shell = SHELLS.find((name) => tools.includes(name)) ?? 'bash'
  const run = (command: string) => ({ command, description: 'scripted', is_background: false })
  const call =
    'run' in reply
      ? [callOf(run(reply.run), shell, asked.length)]
      : 'tool' in reply
        ? [callOf(reply.input, reply.tool, asked.length)]
        : undefined
  const finish = call ? 'tool_calls' : 'stop'
  if (!body.stream) {
    const message = { role: 'assistant', content: 'say' in reply ? reply.say : null }
    const choice = { index: 0, message: { ...message, tool_calls: call }, finish_reason: finish }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...base, object: 'chat.completion', choices: [choice], usage }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason }]
    const chunk = { ...base, object: 'chat.completion.chunk', choices }
    response.write(`data: ${JSON.stringify(finish_reason ? { ...chunk, usage } : chunk)}\n\n`)
  }
  send({ role: 'assistant', content: '' })
  if (call) send({ tool_calls: call })
  if ('say' in reply) await stream(reply, (content) => send({ content }))
  send({}, finish)
  response.write('data: [DONE]\n\n')
  response.end()
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function callOf(given: object, name: string, number: number) {
  const fn = { name, arguments: JSON.stringify(given) }
  return { index: 0, id: `call_${number}`, type: 'function', function: fn }
}

export async function stream(reply: { say: string; ms?: number }, send: (text: string) => void) {
  const words = reply.say.split(' ')
  for (const word of words) {
    if (reply.ms) await delay(reply.ms / words.length)
    send(`${word} `)
  }
}

function askedIn(messages: Message[]): Omit<Asked, 'name' | 'tools'> {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool')
  return {
    at: Date.now(),
    prompt: textOf(messages[last]?.content),
    results: results.map(({ content }) => textOf(content)),
    text: JSON.stringify(messages),
  }
}
