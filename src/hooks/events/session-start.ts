import type { Bus } from '../../bus/bus.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { readSessions } from '../../bus/names/registry.ts'
import { noteList } from '../../bus/processList.ts'
import { sweepNotes } from '../../changes/sweep.ts'
import { isoTime } from '../../message/time.ts'
import { ringsNatively } from '../../session/doorbellChoice.ts'
import { formerName } from '../../session/former.ts'
import { hooksReason } from '../../session/hooksOff.ts'
import { forgetRings } from '../../session/rings.ts'
import { aliveByProcess } from '../../session/roster.ts'
import { settingsThatTried, triedLine } from '../../session/startedWith.ts'
import { believedState, noteEvent } from '../../session/stateFile.ts'
import { exportName, watchPaths } from '../armed.ts'
import { unreadCount, unreadFact } from '../facts.ts'
import { gateOf, type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'
import { usesVim } from '../vim.ts'

/** As many sessions as one line on the screen has room for. */
const MOST_NAMED = 4

/**
 * Names the session to the model and tells what is unread: facts, no orders. Arms the session's
 * bell, at `startup`, `resume`, `clear` and `compact` alike, since each begins a context or a watch
 * list that does not know it. Says nothing where the session is no participant; inside Claude Code
 * it then still watches for a join, also where there is no home yet.
 */
export function sessionStart(ports: HookPorts, payload: Payload): Reply {
  const who = participant(ports)
  if (who) sweepNotes(ports.bus())
  if (who) return greet(ports, payload, who)
  if (!ports.env.CLAUDE_PID) return SILENT
  const { human, ...context } = offer(ports, payload)
  const paths = watchPaths(ports, undefined)
  if (paths.length === 0) return SILENT
  return answer('SessionStart', { ...context, watchPaths: paths }, human)
}

/**
 * A conversation that is resumed has no longer the name that it had when its process ended. Tells
 * the model and the human what waits there, and how to take it: nobody gets a name unasked.
 */
function offer(ports: HookPorts, payload: Payload): { additionalContext?: string; human?: string } {
  const bus = ports.bus()
  const conversation = textOf(payload, 'source') === 'resume' && textOf(payload, 'session_id')
  const name = conversation && formerName(bus, conversation)
  if (!name) return {}
  const unread = unreadCount(unreadIds(bus.home, name))
  return {
    additionalContext: `This conversation was @${name} on agent-chat until its process ended. It is not registered now. ${unread}. \`agent-chat join ${name}\` registers it again.`,
    human: `agent-chat: this was @${name}. ${unread}. To register it again, ask it to run: agent-chat join ${name}`,
  }
}

function greet(ports: HookPorts, payload: Payload, who: Participant): Reply {
  const bus = ports.bus()
  // An agent that starts in a sandbox tells nothing of where the others are.
  if (!bus.processes.hidden) noteList(bus.home)
  // Another agent than the one before has got none of the rings that were for that one.
  if (listensItself(ports) && who.agent && !believedState(bus.home, who.name, bus.processes))
    forgetRings(bus, who.name)
  noteEvent(bus, who.name, {
    kind: textOf(payload, 'source') === 'compact' ? 'compacted' : 'started',
    at: isoTime(bus.clock.now()),
    session_id: textOf(payload, 'session_id') ?? null,
    agent: who.agent,
    native: listensItself(ports) && ringsNatively(who.session),
    gate: gateOf(ports, who),
    transcript: textOf(payload, 'transcript_path'),
    vim: !ports.agent && usesVim(ports.env, textOf(payload, 'cwd')),
  })
  if (!ports.agent) exportName(ports, who)
  // A worker is given its messages one by one.
  const fact = who.worker
    ? `This session is the worker @${who.name} on agent-chat.`
    : `This session is @${who.name} on agent-chat. ${unreadFact(unreadIds(bus.home, who.name))}`
  const fields = { additionalContext: fact, watchPaths: watchPaths(ports, who) }
  // A context that was compacted is on the screen of before.
  const compacted = textOf(payload, 'source') === 'compact'
  return answer('SessionStart', fields, compacted ? undefined : forPerson(ports, payload, who))
}

/** What the person sees of it: who this is, and a project's settings that do not count. */
function forPerson({ agent, env, bus }: HookPorts, payload: Payload, who: Participant): string {
  const project = env.CLAUDE_PROJECT_DIR ?? textOf(payload, 'cwd')
  const tried = agent || project === undefined ? [] : settingsThatTried(project)
  const off = agent ? undefined : hooksReason({ ...who.session, name: who.name }, bus())
  return [
    nameLine(who.name, bus()),
    ...(off === undefined
      ? []
      : [`agent-chat: ${off}; messages wait, and only their senders are shown`]),
    ...tried.map((one) => `agent-chat: ${triedLine(one)}`),
    ...(keepsNone({ agent, env }) ? [NO_RECORD] : []),
  ].join('\n')
}

const NO_RECORD =
  'agent-chat: CLAUDE_CODE_SKIP_PROMPT_HISTORY keeps Claude Code from recording who wrote a prompt, so changes ask you in every turn'

/** Whether the client keeps no record of this conversation, by which a turn of the user's is known. */
function keepsNone({ agent, env }: Pick<HookPorts, 'agent' | 'env'>): boolean {
  const set = env.CLAUDE_CODE_SKIP_PROMPT_HISTORY?.trim().toLowerCase() ?? ''
  return !agent && !['', '0', 'false', 'no', 'off'].includes(set)
}

/** Whether the agent, or our extension in it, listens to the session's bell. */
function listensItself({ agent }: HookPorts): boolean {
  return !agent || agent.wake === 'host'
}

/** Who this is, and who else is here. */
function nameLine(name: string, { home, processes }: Bus): string {
  const others = Object.values(readSessions(home))
    .filter((other) => other.name !== name && aliveByProcess(other, processes) !== 'gone')
    .map((other) => `@${other.name}`)
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : ''
  const here = others.slice(0, MOST_NAMED).join(' ')
  return `agent-chat: you are @${name}${here && ` · also here: ${here}${more}`} · /chat`
}
