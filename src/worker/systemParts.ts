import type { PostPorts } from '../chat/post.ts'
import type { Message } from '../message/message.ts'
import { isoTime } from '../message/time.ts'
import { answersDecision } from '../session/asked.ts'
import { isScheduledTask } from './clock/given.ts'
import { noteCost, overBudget } from './costs/ledger.ts'
import type { Parts } from './parts.ts'
import { openPermission } from './permission/permission.ts'
import { openStream } from './stream/stream.ts'
import type { WorkDefinition } from './worker.ts'

/** The parts of a worker that works in `cwd`. */
export function systemParts(
  definition: WorkDefinition,
  cwd: string,
  onWait: (reason: string | undefined) => void,
  ports: PostPorts,
): Parts {
  const { name, trust, tools, createsOnly } = definition
  const bus = ports.bus()
  const isOwn = (message: Message) => isScheduledTask(bus, message)
  const permission = openPermission({ name, trust, tools, createsOnly, cwd, onWait, isOwn }, ports)
  return {
    give: permission.give,
    isGated: permission.isGated,
    decide: permission.decide,
    over: permission.over,
    answersDecision: (message) => answersDecision(bus.home, name, message),
    noteCost: (cost) => noteCost(bus, name, { at: isoTime(bus.clock.now()), ...cost }),
    overBudget: () => overBudget(definition, ports),
    openStream: (message) => openStream(bus, name, message).write,
  }
}
