import type { ToolCall } from '../../message/call.ts'
import { roomOf } from '../../session/room.ts'
import { hasWord } from '../../session/turn.ts'
import { parseMode } from '../../trust/sendGate/rules.ts'
import type { Place } from '../../trust/shell/place.ts'
import { placeAt } from '../../trust/toolGate/place.ts'
import { isListed } from '../../trust/toolGate/table.ts'
import { effectOfTool, schedules, startsTask } from '../../trust/toolGate/tool.ts'
import { tellsCaller, toolOf, turnIn } from '../call.ts'
import { rootOf } from '../here.ts'
import { isSettled } from '../origin.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import { mayMeet, unlessMet } from '../peers.ts'
import type { HookPorts } from '../ports.ts'
import { type Reply, SILENT } from '../reply.ts'
import type { Found } from './judged.ts'

/**
 * A tool is about to run. In a turn that a doorbell began, with no word of the human in it, what
 * changes things is put to the human; their yes lets the like of it pass for the rest of the turn.
 * A subagent's call belongs to the turn in which it was born.
 *
 * Most calls pass without a word. What more there is to judge, to note and to say is in a file of
 * its own, so that the others need not wait for it.
 */
export function preToolUse(ports: HookPorts, payload: Payload): Reply | Promise<Reply> {
  const who = participant(ports)
  const judged = () => (passesAtOnce(ports, payload, who) ? SILENT : whole(ports, payload, who, {}))
  return who && mayMeet(ports, payload, who) ? unlessMet(ports, payload, who, judged) : judged()
}

/**
 * The agent would open its own dialog for a call, and tell of the call once more before that runs:
 * what the human has to decide about is refused here, and for what they have allowed no dialog
 * opens.
 */
export function earlyToolUse(ports: HookPorts, payload: Payload): Promise<Reply> {
  return whole(ports, payload, participant(ports), { early: true })
}

async function whole(
  ports: HookPorts,
  payload: Payload,
  who: Participant | undefined,
  found: Found,
): Promise<Reply> {
  const { judgedWhole } = await import('./judged.ts')
  return judgedWhole(ports, payload, who, found)
}

/** Whether a call plainly passes, with nothing to note. It follows the rows of `judgedWhole()`. */
function passesAtOnce(ports: HookPorts, payload: Payload, who: Participant | undefined): boolean {
  const { env, agent } = ports
  if (agent || env.AGENT_CHAT_WORKER || who?.worker) return false
  if (!who) return true
  if (roomOf(ports.bus().home, who.agent) !== undefined) return false
  const told = who.state
  const call = toolOf(payload)
  if (!told || startsTask(call) || schedules(call) !== undefined || isNoted(call)) return false
  if (tellsCaller(payload, told)) return false
  if (!isListed(call.name)) return false
  if (parseMode(told.gate) === 'off') return true
  if (!isSettled(payload, told)) return false
  const root = rootOf(ports, who)
  const turn = turnIn(told, payload)
  // One of our own commands is judged by the session's own turn.
  return (
    hasWord(turn) ||
    isHarmless(call, placeAt(textOf(payload, 'cwd'), root, ports.env), turn?.at === told.turn?.at)
  )
}

/** Our own tools are answered, and in another folder the client may go on in another record. */
function isNoted({ name }: ToolCall): boolean {
  return name.startsWith('mcp__') || name === 'EnterWorktree' || name === 'ExitWorktree'
}

/** Whether a call of a closed turn only reads, or, `withOwn`, is one of our own commands. */
export function isHarmless(call: ToolCall, place: Place, withOwn: boolean): boolean {
  if (call.name === 'AskUserQuestion') return false
  const effect = effectOfTool(call, place)
  return effect === 'reading' || (withOwn && effect === 'own')
}
