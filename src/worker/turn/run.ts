import type { Message } from '../../message/message.ts'
import { isoTime } from '../../message/time.ts'
import { QUIET_MS } from '../../session/workerState.ts'
import { faultPoint } from '../../system/fault.ts'
import type { Lost } from '../client/exchange.ts'
import { whyUnheard } from '../client/hooksHeard.ts'
import type { ClientEvent, Result } from '../client/line.ts'
import type { ClientRequest } from '../client/start.ts'
import { beginConversation, type Conversation, noteUse } from '../conversations.ts'
import { unlessUnusable } from '../stateKeeper.ts'
import type { StreamEvent } from '../stream/stream.ts'
import type { WorkDefinition, Worker } from '../worker.ts'
import { tellProgress } from './answer.ts'
import { artifactsOf, isRefused, lostOutcome, mayPass, type Outcome, outcomeOf } from './outcome.ts'
import { promptFor, systemPrompt } from './prompt.ts'

/**
 * How a turn ended: the message is done with; or it is still there, to be tried `again`, or because
 * the worker is to end. `refused`: no try helps before somebody looks after it.
 */
export type TurnEnd =
  | { end: 'done'; gaveUp?: string | undefined }
  | { end: 'again' | 'refused'; why: string }
  | { end: 'stopped' }

/** A message is tried so often; then its sender is told why it could not be done. */
export const MAX_ATTEMPTS = 3

type Given = { message: Message; attempt: number; definition: WorkDefinition }
type Run = TurnEnd | { end: 'outcome'; outcome: Outcome }

/** Prompts the client with a message until there is an outcome, or a reason why there is none. */
export async function runTurn(
  given: Given,
  found: { conversation: Conversation; begun: boolean },
  w: Worker,
): Promise<Run> {
  const { message, attempt, definition } = given
  let { conversation, begun } = found
  let unheard = false
  const artifacts = artifactsOf(w.cwd)
  const stream = w.parts.openStream(message.id)
  stream({ event: 'start', attempt })
  for (;;) {
    if (w.stop.asked === 'now') return { end: 'stopped' }
    if (message.kind !== 'task') w.state.set({ conversation: conversation.id })
    const request = requestFor(definition, conversation.id, begun, w)
    let heard = false
    const { result, late } = await prompt(given, request, w, (event) => {
      heard ||= event.type !== 'quiet'
      artifacts.take(event)
      tellStream(event, stream)
    })
    if ('lost' in result && result.lost === 'ended' && !heard && !unheard) {
      // It ended before it took the prompt up, since the turn before: that is no try.
      unheard = true
      begun = true
      continue
    }
    if (!('lost' in result) && begun && isUnknown(result)) {
      // It was killed before it had written anything down.
      conversation = beginConversation(w.bus, w.name, message, definition.hash, conversation)
      begun = false
      continue
    }
    const end = endOf(result, given, conversation.id, w)
    if (end) return end
    const known = result as Result
    noteUse(w.bus, w.name, conversation.id, known.kind === 'prompt_too_long')
    return { end: 'outcome', outcome: outcomeOf(known, artifacts.paths(), late) }
  }
}

/** How a turn without an answer ends; undefined for one with an answer. */
function endOf(
  result: Result | Lost,
  { message, attempt }: Given,
  conversation: string,
  w: Worker,
): Run | undefined {
  if ('lost' in result) {
    if (result.lost === 'refused') return { end: 'refused', why: result.why }
    if (w.stop.asked !== 'no') return { end: 'stopped' }
    if (attempt < MAX_ATTEMPTS) return { end: 'again', why: result.why }
    return { end: 'outcome', outcome: lostOutcome(result.why, conversation) }
  }
  const { tokens, usd, kind, text } = result
  w.parts.noteCost({
    ...{ message: message.id, chain: message.chain, conversation },
    ...{ input: tokens.in, output: tokens.out, usd },
  })
  if (w.stop.asked !== 'no' && isCut(result)) return { end: 'stopped' }
  if (isRefused(result)) return { end: 'refused', why: text }
  if (mayPass(result) && attempt < MAX_ATTEMPTS)
    return { end: 'again', why: outcomeOf(result, []).why ?? kind }
  return undefined
}

/** One prompt to the client. `late`: why the turn was cut, where it took too long. */
async function prompt(
  { message, attempt, definition }: Given,
  request: ClientRequest,
  w: Worker,
  onEvent: (event: ClientEvent) => void,
): Promise<{ result: Result | Lost; late?: string | undefined }> {
  const text = promptFor(message, attempt)
  const client = await w.keeper.clientFor(request)
  const why = await whyUnheard(client, w.name, w.bus, () => w.stop.asked === 'now')
  if (why !== undefined) return { result: { lost: 'refused', why } }
  if (w.stop.asked === 'now') return { result: { lost: 'ended', why: 'it was stopped' } }
  const limit = definition.timeoutSeconds
  let late: string | undefined
  let ungated = false
  const timer = setTimeout(() => {
    late = `it took longer than ${limit} s`
    client.interrupt()
  }, limit * 1000)
  const begun = onBegun(message, w)
  w.parts.give(message, text)
  faultPoint('work:given')
  try {
    const result = await client.ask(text, {
      decide: w.parts.decide,
      onEvent: (event) => {
        if (event.type === 'requesting' && !ungated && !w.parts.isGated()) {
          ungated = true
          client.interrupt()
        }
        begun.see(event)
        // On a full disk the turn goes on: its outcome is kept, or cannot be, at its end.
        unlessUnusable(() => onEvent(event))
        unlessUnusable(() => noteEvent(event, w))
        w.show({ type: 'client', event })
      },
    })
    await begun.done()
    faultPoint('work:result')
    return { result: ungated ? UNGATED : result, late }
  } finally {
    clearTimeout(timer)
    w.parts.over()
  }
}

const UNGATED: Lost = {
  lost: 'refused',
  why: "agent-chat's hooks did not run in Claude Code: look for disableAllHooks in its settings",
}

/** With its first request to the API the work on a task has begun. */
function onBegun(message: Message, w: Worker) {
  let told: Promise<void> | undefined
  return {
    see: ({ type }: ClientEvent) => {
      if (type !== 'requesting' || told) return
      told = tellProgress('working', message, w.ports)
      // Whoever waits for it throws.
      told.catch(() => {})
    },
    done: () => told,
  }
}

function noteEvent(event: ClientEvent, { state, bus }: Worker): void {
  if (event.type === 'quiet')
    state.set({ quiet: event.is ? isoTime(bus.clock.now() - QUIET_MS) : undefined })
  if (event.type === 'init') state.set({ model: event.model })
  if (event.type === 'silent') state.set({ activity: 'stalled', reason: event.why })
  if (event.type === 'retry')
    state.set({ reason: `the API is asked again: ${event.error} (${event.attempt}/${event.of})` })
  if (event.type === 'text' && state.now().reason !== undefined) state.set({ reason: undefined })
}

function tellStream(event: ClientEvent, stream: (event: StreamEvent) => void): void {
  if (event.type === 'text') stream({ event: 'token', text: event.text })
  if (event.type === 'tool_start') stream({ event: 'tool_start', tool: event.tool })
  if (event.type === 'tool_complete')
    stream({ event: 'tool_complete', tool: event.tool, ok: !event.failed })
}

function requestFor(
  definition: WorkDefinition,
  conversation: string,
  resume: boolean,
  w: Worker,
): ClientRequest {
  const { tools, model, maxTurns } = definition
  return {
    ...{ program: w.program, name: w.name, self: w.self, cwd: w.cwd, home: w.bus.home.root },
    ...{ tools, model, maxTurns, conversation, resume },
    prompt: systemPrompt(w.name, definition),
  }
}

function isUnknown({ ok, text }: Result): boolean {
  return !ok && text.startsWith('No conversation found')
}

/** A turn that was interrupted. */
function isCut({ ok, kind }: Result): boolean {
  return !ok && kind === 'error_during_execution'
}
