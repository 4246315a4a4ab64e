import { wantsText } from '../../message/call.ts'
import { clipped } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { forgetLaunch } from '../../session/launched.ts'
import { giveBackRings } from '../../session/rings.ts'
import {
  nextState,
  type SessionState,
  type StateEvent,
  withFailure,
  withoutQuestion,
  withQuestion,
  withWanted,
} from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { withShown } from '../../session/subagents.ts'
import { armLater } from '../armed.ts'
import { toolOf } from '../call.ts'
import { isAnswered } from '../origin.ts'
import { participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'
import { reviveWatcher } from '../revive.ts'
import { stateEvent, toldAt } from '../stateEvent.ts'
import { withScheduled } from './toolNotes.ts'

/** Notifications that mean a dialog is open, and those that mean that nothing is under way. */
const NOTIFICATIONS: Record<string, StateEvent['kind']> = {
  permission_prompt: 'asked',
  elicitation_dialog: 'asked',
  agent_needs_input: 'asked',
  idle_prompt: 'rested',
}

/**
 * A permission or question dialog opens, whoever asked for it: the session's own keyboard answers
 * it.
 */
export function permissionRequest(ports: HookPorts, payload: Payload): Reply {
  const reply = note(ports, payload, 'asked')
  const who = participant(ports)
  const call = toolOf(payload)
  const wants = call.name === '' ? undefined : clipped(visibleLine(wantsText(call)), MAX_WANTS)
  if (who?.state)
    changeState(ports.bus(), who.name, (before) => {
      const shown = before && withShown(before)
      return shown?.activity === 'asking' && wants ? withWanted(shown, wants) : shown
    })
  return reply
}

/** So much of a call is kept: its dialog has all of it. */
const MAX_WANTS = 300

export function notification(ports: HookPorts, payload: Payload): Reply {
  const kind = NOTIFICATIONS[textOf(payload, 'notification_type') ?? '']
  // Where no other event tells of a dialog, this is the one.
  if (kind === 'asked' && ports.agent) return permissionRequest(ports, payload)
  const reply = kind ? note(ports, payload, kind) : SILENT
  return kind === 'rested' && ports.agent ? { after: () => reviveWatcher(ports) } : reply
}

/**
 * The turn is over, a subagent's apart. What the agent has scheduled for itself is kept, to be
 * known again when it comes, and so is a question to the person in its last words.
 */
export async function stop(ports: HookPorts, payload: Payload): Promise<Reply> {
  const who = isSubagent(payload) ? undefined : participant(ports)
  if (!who) return SILENT
  const event = stateEvent(ports, payload, who, 'stopped')
  const crons = scheduledPrompts(payload)
  // A worker's answer goes to whoever asked, as a message.
  const failure = failureIn(payload)
  const asks = !who.worker && failure === undefined
  const question = asks ? await questionIn(lastWords(payload)) : undefined
  // Outside the lock: it may wait for the client's record.
  const hasSpoken = isAnswered(ports, payload, who)
  // Before the end is noted, which "stop-ring" waits for.
  if (failure === undefined) giveBackRings(ports.bus(), who.name, who.state)
  changeState(ports.bus(), who.name, (before) => {
    const now = before && hasSpoken ? withoutQuestion(before) : before
    const known = nextState(now, event) ?? now
    const ended = known && withFailure(known, failure, event.at)
    const next = ended && withQuestion(ended, question, event.at)
    return next && (crons.length === 0 ? next : withScheduled(next, crons))
  })
  // From now on somebody has to ring for it.
  const after = () => {
    armLater(ports, who)
    reviveWatcher(ports)
  }
  return { after }
}

/** The ways in which a person ends their agent: from any other end the session comes back. */
const BY_CHOICE = ['prompt_input_exit', 'logout']

/** `/clear` and `/resume` end a conversation, not the session: a SessionStart follows. */
export function sessionEnd(ports: HookPorts, payload: Payload): Reply {
  const reason = textOf(payload, 'reason')
  const who = BY_CHOICE.includes(reason ?? '') ? participant(ports) : undefined
  if (who) forgetLaunch(ports.bus(), who.name)
  return reason === 'clear' || reason === 'resume' ? SILENT : note(ports, payload, 'ended')
}

/** Whether the event is a subagent's own. */
export function isSubagent(payload: Payload): boolean {
  return textOf(payload, 'agent_id') !== undefined
}

function note(ports: HookPorts, payload: Payload, kind: StateEvent['kind']): Reply {
  const who = participant(ports)
  if (!who) return SILENT
  const event = stateEvent(ports, payload, who, kind)
  // A hook that runs beside the agent may come after that of what happened next.
  const isLate = (before: SessionState | undefined) =>
    toldAt(payload) !== undefined && before !== undefined && event.at < before.since
  changeState(ports.bus(), who.name, (before) =>
    isLate(before) ? undefined : nextState(before, event),
  )
  return SILENT
}

/** How questions sound in eleven languages is read at the end of a turn alone. */
async function questionIn(text: string): Promise<string | undefined> {
  if (text === '') return undefined
  const { closingQuestion } = await import('../../message/closingQuestion.ts')
  return closingQuestion(text)
}

/** What the agent said last in its turn: Gemini CLI and its kin have a name of their own for it. */
function lastWords(payload: Payload): string {
  return textOf(payload, 'last_assistant_message') ?? textOf(payload, 'prompt_response') ?? ''
}

/** So much of an error is kept. */
const MAX_ERROR = 200

/**
 * Why the turn that ends failed: the client's own words for the person, `API Error: 529 …`
 * (StopFailure of Claude Code 2.1.329), else the kind of error. Undefined where it ended well.
 */
function failureIn(payload: Payload): string | undefined {
  const kind = textOf(payload, 'error')
  if (textOf(payload, 'hook_event_name') !== 'StopFailure' && kind === undefined) return undefined
  const [words = ''] = lastWords(payload).trim().split('\n')
  const said = words.replace(/^API Error:\s*/, '')
  return clipped(said || textOf(payload, 'error_details') || kind || 'unknown', MAX_ERROR)
}

function scheduledPrompts(payload: Payload): string[] {
  const crons = Array.isArray(payload.session_crons) ? payload.session_crons : []
  return crons.flatMap((cron: unknown) =>
    typeof cron === 'object' && cron !== null && 'prompt' in cron && typeof cron.prompt === 'string'
      ? [cron.prompt.trim()]
      : [],
  )
}
