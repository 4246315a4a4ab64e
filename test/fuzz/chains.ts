import { writeFileSync } from 'node:fs'
import { answersTo } from '../../src/bus/index/threads.ts'
import { markRead, readUnread } from '../../src/bus/mail/inbox.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { isCoded } from '../../src/errors.ts'
import { isFree } from '../../src/message/free.ts'
import { formatId } from '../../src/message/id.ts'
import type { Message } from '../../src/message/message.ts'
import { HUMAN } from '../../src/message/name.ts'
import { ringableIds } from '../../src/session/rings.ts'
import type { Turn } from '../../src/session/turn.ts'
import { fixedClock } from '../../src/testing/clock.ts'
import { tempBus } from '../../src/testing/home.ts'
import { passThrough } from '../../src/trust/sendGate/pass.ts'
import { noteShown } from '../../src/trust/sendGate/shown.ts'

/** What became of a message. */
export type Fate = 'rings' | 'held' | 'quiet' | 'refused'

/** What a session says. `answered`: the message that it answers; `idle`: no work comes before it. */
export type Said = { kind?: string; answered?: Message | undefined; state?: string; idle?: true }

const MINUTE = 60_000

/**
 * Sessions that send by the real functions of the gate, without processes: a turn is a state file.
 * A minute goes by with each turn, so that the cap of 20 in ten minutes bounds nothing.
 */
export function chainWorld(...names: string[]) {
  const clock = fixedClock('2026-11-21T03:39:12.000Z')
  const bus = tempBus(names, clock)
  const sent: { message: Message; fate: Fate }[] = []
  const read = new Map(names.map((name) => [name, [] as Message[]]))
  const turns = new Map<string, Turn>()

  const tell = (name: string, turn: Turn) => {
    turns.set(name, turn)
    const state = {
      activity: 'busy',
      since: turn.at,
      session_id: name,
      agent: bus.processes.self(),
    }
    const whole = { ...state, native: true, vim: false, gate: 'enforce', turn }
    writeFileSync(bus.home.state(name), JSON.stringify(whole))
  }
  const begin = (name: string, fields: Partial<Turn> = {}) => {
    clock.set(clock.now() + MINUTE)
    const at = new Date(clock.now()).toISOString()
    const none = { opened: null, chain: null, work: 0, asked: [] }
    tell(name, { ...{ id: at, began: 'doorbell', at, ...none }, ...fields })
  }
  /** A turn of this session begins with the human's words. */
  const human = (name: string) =>
    begin(name, { began: 'human', chain: formatId(clock.micros(), HUMAN) })
  /** It reads all there is, in the turn that it is in. */
  const inbox = (name: string): Message[] => {
    const { messages } = readUnread(bus, name)
    noteShown(bus, name, messages)
    for (const { id } of messages) markRead(bus, name, id)
    read.get(name)?.push(...messages)
    return messages
  }
  /** Where a doorbell rings for it, a turn begins in which it reads its inbox. */
  const rung = (name: string): Message[] | undefined => {
    if (ringableIds(bus, name).length === 0) return undefined
    begin(name)
    return inbox(name)
  }
  const say = async (from: string, to: string, said: Said = {}): Promise<Fate> => {
    clock.set(clock.now() + 1000)
    const { kind = 'note', answered, state, idle } = said
    const turn = turns.get(from)
    if (turn && !idle) tell(from, { ...turn, work: 1 })
    const draft = { from, to, kind, body: 'more of it', extra: state ? { task_state: state } : {} }
    try {
      const ports = { env: {}, bus: () => bus, notice: () => {} }
      const one = await passThrough(
        ports,
        { ...draft, answered },
        ({ ring: { ring, why }, lineage }) => {
          const silent = ring === 'rings' ? undefined : { ring, why }
          return {
            ...sendMessage(bus, { ...draft, ...lineage, inReplyTo: answered, silent }),
            fate: ring,
          }
        },
      )
      sent.push({ message: one.message, fate: one.fate })
      return one.fate
    } catch (error) {
      if (isCoded(error, 'GATE_REFUSED')) return 'refused'
      throw error
    }
  }
  /** Answers a question, or ends a task. */
  const answer = (asked: Message): Promise<Fate> => {
    const { from, to, kind, extra } = ending(asked)
    const state = extra.task_state ? 'done' : ''
    return say(from, to, { kind, answered: asked, state })
  }
  /** What it has read of questions and tasks, and not answered. */
  const open = (name: string): Message[] =>
    (read.get(name) ?? []).filter((one) => isFree(one, ending(one), answersTo(bus.home, one, name)))
  return { bus, sent, human, begin, rung, inbox, say, answer, open }
}

/** The answer to a question, or the end of a task. */
function ending(asked: Message): Message {
  const isTask = asked.kind === 'task'
  const [from, to] = [asked.to, asked.from]
  const kind = isTask ? 'result' : 'reply'
  return { ...asked, from, to, kind, extra: isTask ? { task_state: 'done' } : {} }
}
