import type { PostPorts } from '../chat/post.ts'
import type { Parts } from './parts.ts'
import { answersDecision } from './permission/asked.ts'
import { openPermission } from './permission/permission.ts'
import type { WorkDefinition } from './worker.ts'

/** The parts of a worker that works in `cwd`. */
export function systemParts(
  definition: WorkDefinition,
  cwd: string,
  onWait: (reason: string | undefined) => void,
  ports: PostPorts,
): Parts {
  const { name, trust, tools } = definition
  const permission = openPermission({ name, trust, tools, cwd, onWait }, ports)
  return {
    give: permission.give,
    decide: permission.decide,
    over: permission.over,
    answersDecision: (message) => answersDecision(ports.bus().home, name, message),
    noteCost: () => {},
    overBudget: async () => false,
    openStream: () => () => {},
  }
}
