import { readSessions } from '../bus/names/registry.ts'
import { HUMAN, parseRecipient } from '../message/name.ts'
import { answersAsWorker } from '../session/workers.ts'
import { asksItself, requireAnswerer } from './ask/askEnd.ts'
import { attached } from './content.ts'
import type { Ports } from './ports.ts'
import type { Posted } from './post.ts'
import { recipientFor } from './recipient.ts'
import { type SendPorts, send } from './send.ts'
import { giveTask } from './tasks/give.ts'

export type How = 'send' | 'task' | 'ask'

/** What the human says to somebody; `attach`: the paths of files that it names. */
export type Saying = { how: How; to: string; text: string; attach?: string[] }

/** `how` it was sent: whatever is said to a worker is a question, unless it is a task. */
export type Said = { how: How; toWorker: boolean; posted: Posted }

/**
 * Says something as @human. Throws as `send()`, `giveTask()` and `requireAnswerer()`, and `USAGE` for
 * a question to oneself.
 */
export async function say(
  { how: asked, to, text, attach }: Saying,
  ports: SendPorts & Pick<Ports, 'cwd' | 'tmux'>,
): Promise<Said> {
  const toWorker = answersAsWorker(ports.bus(), parseRecipient(to))
  const how = asked === 'send' && toWorker ? 'ask' : asked
  if (how === 'ask') {
    const name = await knownName(to, ports)
    if (name === HUMAN) throw asksItself(name)
    await requireAnswerer(name, ports)
  }
  const request = { recipient: to, from: HUMAN }
  const content = attach?.length
    ? async () => ({ body: text, extra: await attached(attach, ports) })
    : text
  const posted =
    how === 'task'
      ? await giveTask(request, content, ports)
      : await send(how === 'ask' ? { ...request, kind: 'question' } : request, content, ports)
  return { how, toWorker, posted }
}

/** The checked name of somebody who is there. Throws as `recipientFor()`. */
export function knownName(to: string, ports: Pick<Ports, 'bus' | 'notice'>): Promise<string> {
  return recipientFor(parseRecipient(to), readSessions(ports.bus().home), ports)
}
