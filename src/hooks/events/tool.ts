import { placeAt } from '../../gate/place.ts'
import type { Place } from '../../gate/reading/place.ts'
import { parseMode } from '../../gate/rules.ts'
import { effectOfTool, schedules, type ToolCall } from '../../gate/tool.ts'
import { roomOf } from '../../session/room.ts'
import { isStarter } from '../../session/subagents.ts'
import { hasWord } from '../../session/turn.ts'
import { toolOf, turnIn } from '../call.ts'
import { rootOf } from '../here.ts'
import { beganElsewhere } from '../origin.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
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
  const found: Found = {}
  return passesAtOnce(ports, payload, who, found) ? SILENT : whole(ports, payload, who, found)
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

/**
 * Whether a call plainly passes, with nothing to note. It follows the rows of `judgedWhole()`, and
 * puts into `found` what it has looked up.
 */
function passesAtOnce(
  ports: HookPorts,
  payload: Payload,
  who: Participant | undefined,
  found: Found,
): boolean {
  const { env, agent } = ports
  if (agent || env.AGENT_CHAT_WORKER || who?.worker) return false
  if (!who) return true
  if (roomOf(ports.bus().home, who.agent) !== undefined) return false
  const told = who.state
  if (!told) return true
  const call = toolOf(payload)
  if (isStarter(call.name) || schedules(call) !== undefined || call.name.startsWith('mcp__'))
    return false
  if (parseMode(told.gate) === 'off') return true
  found.elsewhere = beganElsewhere(ports, payload, told)
  if (found.elsewhere) return false
  const root = rootOf(ports, who)
  const turn = turnIn(told, payload)
  // One of our own commands is judged by the session's own turn.
  return (
    hasWord(turn) ||
    isHarmless(call, placeAt(textOf(payload, 'cwd'), root, ports.env), turn?.at === told.turn?.at)
  )
}

/** Whether a call of a closed turn only reads, or, `withOwn`, is one of our own commands. */
export function isHarmless(call: ToolCall, place: Place, withOwn: boolean): boolean {
  if (call.name === 'AskUserQuestion') return false
  const effect = effectOfTool(call, place)
  return effect === 'reading' || (withOwn && effect === 'own')
}
