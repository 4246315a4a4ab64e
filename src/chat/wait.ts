import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { parseEvent } from '../bus/history.ts'
import { type Fate, fateOf, highestStage, STAGES, type StageName } from '../bus/mail/fate.ts'
import { markOf } from '../bus/mail/marks.ts'
import { withNamesNow } from '../bus/names/names.ts'
import { CodedError } from '../errors.ts'
import { hostOf } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { shortId } from '../message/shortId.ts'
import { followFile } from '../system/follow.ts'
import { heldAnswer } from './ask/answerTo.ts'

/** A timer that is set to more rings at once: 24 days, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Waits until a message has reached a stage, or a later one, and gives the one that it has reached.
 * Throws `TIMED_OUT`, which says how far it came. Wakes on the history's own growth, and looks
 * every 5 s besides. An answer that is held back counts once the human lets it go: this command's
 * end wakes an agent as a ring does.
 */
export async function waitForStage(
  message: Message,
  wanted: StageName,
  timeoutMs: number,
  bus: Bus,
): Promise<StageName> {
  const reached = () => {
    // Either side may have been renamed since the last look.
    const { id, from, to } = withNamesNow(bus.home, message)
    return highestStage(withoutHeld(fateOf(bus.home, id, to), from, bus))
  }
  let stage = reached()
  // In an inbox of this home a message has arrived once it was sent.
  const host = hostOf(message.to)
  const enough = (now: StageName) =>
    isAtLeast(now, wanted === 'arrived' && host === undefined ? 'sent' : wanted)
  const isRefused = () => host !== undefined && existsSync(bus.home.refusedThere(host, message.id))
  if (enough(stage)) return stage
  await new Promise<void>((resolve, reject) => {
    let stop = () => {}
    const timer = setTimeout(() => stop(), Math.min(timeoutMs, LONGEST_MS))
    const look = (line?: string) => {
      if (line !== undefined && !isAbout(line, message.id)) return
      stage = reached()
      if (enough(stage) || isRefused()) stop()
    }
    const followed = followFile(bus.home.history, (end) => (stop = end), look)
    // What happened between the first look and the watch would else be seen 5 s late.
    look()
    followed.then(resolve, reject).finally(() => clearTimeout(timer))
  })
  if (enough(stage)) return stage
  if (host !== undefined && !isAtLeast(stage, 'arrived')) {
    const { stillQueued } = await import('./remote/words.ts')
    throw stillQueued(bus, message, isRefused(), timeoutMs)
  }
  const held = wanted === 'answered' ? heldAnswer(bus, message) : undefined
  throw new CodedError(
    'TIMED_OUT',
    `${shortId(message.id)} was not ${wanted} within ${timeoutMs / 1000} s; it is ${stage}`,
    {
      hint:
        held === undefined
          ? `it is stored; see its state with: agent-chat show ${shortId(message.id)}`
          : `the guardrails hold an answer; your user can release it: agent-chat release ${shortId(held)}`,
    },
  )
}

function withoutHeld(fate: Fate, asker: string, { home }: Bus): Fate {
  const isHeld = (answer: string | undefined) =>
    answer !== undefined && markOf(home, asker, answer)?.ring === 'held'
  return { ...fate, stages: fate.stages.filter(({ by }) => !isHeld(by)) }
}

function isAtLeast(stage: StageName, wanted: StageName): boolean {
  return STAGES.indexOf(stage) >= STAGES.indexOf(wanted)
}

function isAbout(line: string, id: string): boolean {
  const event = parseEvent(line)
  if (event === undefined) return false
  // What is let go on may be the answer.
  if (event.event === 'resumed') return true
  return (
    event.id === id ||
    event.in_reply_to === id ||
    (Array.isArray(event.ids) && event.ids.includes(id))
  )
}
