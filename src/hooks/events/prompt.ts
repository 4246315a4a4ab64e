import { record } from '../../bus/history.ts'
import { unreadIds } from '../../bus/unread.ts'
import { presentRings, readRings, settleRing } from '../../session/rings.ts'
import { unreadFact } from '../facts.ts'
import { type Participant, participant } from '../participant.ts'
import { type Payload, textOf } from '../payload.ts'
import type { HookPorts } from '../ports.ts'
import { answer, type Reply, SILENT } from '../reply.ts'
import { isSubagent, note } from './activity.ts'

/** What the tmux doorbell types, to the byte. */
const RING = /^(New message|\d+ new messages)( from @[a-z][a-z0-9-]{0,31}(, @[a-z][a-z0-9-]{0,31})*)?\. Check inbox\.$/

/**
 * A turn begins. Where the prompt is the line that a doorbell typed, that ring has been presented. Else one line tells of messages that no
 * doorbell has got through to the session yet.
 */
export function userPromptSubmit(ports: HookPorts, payload: Payload): Reply {
  if (isSubagent(payload)) return SILENT
  const who = participant(ports)
  if (!who) return SILENT
  note(ports, payload, 'prompted')
  if (RING.test(textOf(payload, 'prompt')?.trim() ?? '')) return presentTyped(ports, who)
  return tellUnpresented(ports, who)
}

function presentTyped(ports: HookPorts, who: Participant): Reply {
  const bus = ports.bus()
  const ids = presentRings(bus, who.name, 'tmux')
  if (ids.length > 0) record(bus, 'presented', { ids, to: who.name, doorbell: 'tmux' })
  return SILENT
}

function tellUnpresented(ports: HookPorts, who: Participant): Reply {
  const bus = ports.bus()
  const rings = readRings(bus.home, who.name)
  const ids = unreadIds(bus.home, who.name).filter(
    (id) => !Object.hasOwn(rings, id) || rings[id]?.presented === undefined,
  )
  if (ids.length === 0) return SILENT
  return {
    ...answer('UserPromptSubmit', { additionalContext: `agent-chat: ${unreadFact(ids)}` }),
    after: () => {
      settleRing(bus, who.name, 'prompt', ids, true)
      record(bus, 'presented', { ids, to: who.name, doorbell: 'prompt' })
    },
  }
}
