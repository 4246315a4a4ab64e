import { requireHome } from '../bus/home.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { markSeen } from '../chat/markSeen.ts'
import { pauseDoorbells, resumeChain, unpauseDoorbells } from '../chat/pause.ts'
import { reply } from '../chat/reply.ts'
import { type How, say } from '../chat/say.ts'
import { CodedError } from '../errors.ts'
import { noteAwaySeen, noteKey } from '../feed/away.ts'
import { strangersEnv } from '../launcher/plan.ts'
import { idOfFile } from '../message/id.ts'
import { HUMAN } from '../message/name.ts'
import type { Ports } from './ports.ts'
import type { Done } from './wire.ts'

/** What was asked for: fields of a form, of which nothing is known. */
export type Fields = Record<string, unknown>

/** Does one thing as @human. Gives the id of the message that was sent, where one was. */
type Act = (fields: Fields, ports: Ports) => Promise<string | undefined>

/** What the page can do: each by the function that the command line calls for it. */
const ACTS: Record<string, Act> = {
  reply: async (fields, ports) => {
    const request = { id: text(fields, 'id'), from: HUMAN, question: fields.question === true }
    return (await reply(request, text(fields, 'text'), ports)).message.id
  },
  say: async (fields, ports) => {
    const how = text(fields, 'how')
    if (!isHow(how)) throw wrong('how')
    const attach = Array.isArray(fields.attach) ? fields.attach.map(String) : []
    const to = text(fields, 'to')
    const { posted } = await say({ how, to, text: text(fields, 'text'), attach }, ports)
    if (posted.warning !== undefined) ports.notice(posted.warning)
    return posted.message.id
  },
  pause: async (fields, ports) => {
    if (fields.on === true) pauseDoorbells(ports)
    else unpauseDoorbells(ports)
    return undefined
  },
  release: async (fields, ports) => {
    resumeChain(text(fields, 'chain'), ports)
    return undefined
  },
  restart: async (fields, ports) => {
    await (await ports.workers()).beginAgain(text(fields, 'name'), ports)
    return undefined
  },
  // A key was pressed on the page, and what happened before it was seen.
  here: async (_, ports) => {
    noteKey(ports.bus())
    return undefined
  },
  away: async (_, ports) => {
    noteAwaySeen(ports.bus())
    return undefined
  },
  seen: async (fields, ports) => {
    const bus = ports.bus()
    const ids = Array.isArray(fields.ids) ? fields.ids.slice(0, 500).map(String) : []
    const known = ids.filter((id) => idOfFile(`${id}.md`) !== undefined)
    await markSeen(
      bus,
      known.flatMap((id) => messageAt(bus.home.unread(HUMAN, id), id, bus.home) ?? []),
    )
    return undefined
  },
}

/** A click that came twice is one: so many are remembered. */
const KEPT = 200

/** Does what the page asks for, as the human: the cookie is their terminal here. */
export function openActs(ports: Ports): (act: string, fields: Fields) => Promise<Done> {
  const done = new Map<string, Promise<Done>>()
  const perform = async (act: Act, fields: Fields): Promise<Done> => {
    requireHome(ports.bus().home, 'put it back; then try again')
    const said: string[] = []
    const notice = (line: string) => void said.push(line)
    // Nothing of the terminal that the server runs in says who speaks here.
    const env = strangersEnv(ports.env)
    const bus = () => ({ ...ports.bus(), notice })
    const id = await act(fields, { ...ports, env, bus, notice, typed: 'web' })
    return id === undefined ? { said } : { said, id }
  }
  return (name, fields) => {
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
    if (act === undefined) throw wrong(name)
    const { key } = fields
    if (typeof key !== 'string') return perform(act, fields)
    const known = done.get(key)
    if (known) return known
    const result = perform(act, fields)
    // What failed may be tried again.
    result.catch(() => done.delete(key))
    done.set(key, result)
    for (const old of done.keys()) if (done.size > KEPT) done.delete(old)
    return result
  }
}

function isHow(text: string): text is How {
  return text === 'send' || text === 'ask' || text === 'task'
}

function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw wrong(name)
}

function wrong(name: string): CodedError {
  return new CodedError('USAGE', `the page asked for something unknown: ${JSON.stringify(name)}`, {
    hint: 'load the page again: it may be older than the server',
  })
}
