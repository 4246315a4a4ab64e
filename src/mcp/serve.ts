import type { Ports } from '../chat/ports.ts'
import { dropServer } from '../session/mcpServers.ts'
import { smallHeap } from '../system/smallHeap.ts'
import { stdio } from '../system/stdio.ts'
import { type CallRequest, callerOf, callTool } from './call.ts'
import { answerFirst } from './first.ts'
import { ABOUT, listedFor, told } from './lists.ts'
import { promptText } from './prompts.ts'
import { readResource } from './resources.ts'
import type { Ours } from './sdk.ts'
import { TOOLS } from './table.ts'
import { NotAsked } from './tool.ts'

/**
 * Serves the tools of agent-chat on standard input and output, until the host closes them or this
 * process is asked to end. Keeps nothing between two calls: all is in the home.
 */
export async function serveMcp(given: Ports): Promise<void> {
  const ports: Ports = { ...given, isTerminal: async () => false, onStop: () => {} }
  const listed = listedFor(ports)
  const streams = stdio()
  const first = await answerFirst(streams, ABOUT, listed, given.onStop)
  if (first !== undefined) {
    const ours: Ours = {
      ...{ about: ABOUT, listed, NotAsked, onStop: given.onStop, tidy: smallHeap() },
      isAlone: Boolean(ports.env.AGENT_CHAT_WORKER || isPrinting(ports.env)),
      readResource: async (uri) => {
        const text = await told(ports, async () => resource(uri, ports))
        if (text === undefined) throw new Error(`there is no resource ${JSON.stringify(uri)}`)
        return text
      },
      promptText: prompt,
      call: (name, request) => call(name, request, ports),
    }
    await (await import('./sdk.ts')).serveBySdk(ours, streams, first)
  }
  dropServer(ports.bus())
}

/** `claude -p` and what is made with the Agent SDK. */
function isPrinting(env: NodeJS.ProcessEnv): boolean {
  return env.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk') === true
}

function call(name: string, request: CallRequest, ports: Ports) {
  const tool = TOOLS.find((one) => one.name === name)
  if (tool) return callTool(tool, request, ports)
  const names = TOOLS.map((one) => one.name).join(', ')
  throw new Error(`no tool ${JSON.stringify(name.slice(0, 60))}; the tools are: ${names}`)
}

function resource(uri: string, ports: Ports) {
  callerOf(ports)
  return readResource(uri, ports)
}

function prompt(name: string, given: Record<string, string>): string {
  const text = promptText(name, given)
  if (text === undefined) throw new Error('no such prompt, or an argument of it is missing')
  return text
}
