import type { Rule } from '../harness/api.ts'
import type { Block, Reply } from '../harness/reply.ts'
import { type ApiRequest, newText } from '../harness/request.ts'
import { chatArguments, ringsIn } from './heard.ts'

/**
 * What the scripted model does where a case asks for nothing else: it reads its inbox when it is
 * rung, and does what a prompt says.
 */
export const standardRule: Rule = (request) => {
  const text = newText(request)
  if (text.includes('SUGGESTION MODE')) {
    // The real model takes its time; what comes before the turn's last hook has ended is thrown
    // away.
    return { blocks: [{ text: 'run the tests now' }], delayMs: 500 }
  }
  if (ringsIn(text).length > 0) return bash('agent-chat inbox')
  return asked(request, text) ?? { text: 'Done.' }
}

/** A call of the Bash tool. */
export function bash(command: string): Block {
  return { tool: 'Bash', input: { command, description: 'agent-chat' } }
}

function asked(request: ApiRequest, text: string): Reply | undefined {
  const wait = /wait in a shell for (\S+)/.exec(text)?.[1]
  if (wait !== undefined) return bash(`sh wait.sh ${wait}`)
  const file = /make the file (\S+)/.exec(text)?.[1]
  if (file !== undefined) return bash(`touch ${file}`)
  const to = /pass it on to (@\S+)/.exec(text)?.[1]
  if (to !== undefined) return bash(`agent-chat send ${to} "your turn"`)
  if (text.includes('say your name')) return bash('sh name.sh')
  if (text.includes('take your time')) return { blocks: [{ text: 'Well then.' }], holdMs: 60_000 }
  if (text.includes('think it over')) return { blocks: [{ text: 'At last.' }], delayMs: 60_000 }
  const typed = chatArguments(request)
  return typed === undefined ? undefined : bash(`agent-chat ${typed}`)
}
