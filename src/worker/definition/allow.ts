import { record } from '../../bus/history.ts'
import { requireHuman } from '../../chat/human.ts'
import type { Ports } from '../../chat/ports.ts'
import { CodedError } from '../../errors.ts'
import { isoTime } from '../../message/time.ts'
import { changeTrusted } from '../../trust/allow/trusted.ts'
import type { Definition } from './definition.ts'
import { listDefinitions, requireDefinition, requireListed } from './list.ts'

/**
 * The human's yes to a repository's definition as it is now; it is what the answer says. Throws
 * `GATE_REFUSED` in a turn without their word, `DEFINITION_INVALID`, and `USAGE` for one of the
 * home, which needs no yes.
 */
export function allowDefinition(
  name: string,
  ports: Pick<Ports, 'bus' | 'env' | 'cwd'>,
): Definition {
  requireHuman('agents allow', ports)
  const { definition, path, source } = requireListed(name, ports)
  if (source === 'home')
    throw new CodedError('USAGE', `@${name} is defined in your own home, which needs no yes`, {
      hint: `start it with: agent-chat up ${name}`,
    })
  if (definition === undefined) return requireDefinition(name, ports)
  const bus = ports.bus()
  const yes = { name, hash: definition.hash, at: isoTime(bus.clock.now()) }
  changeTrusted(bus, path, yes)
  record(bus, 'agent-allowed', { ...yes, path })
  return definition
}

/** Takes the yes back, from every file that defines an agent of this name. Gives their paths. */
export function revokeDefinition(name: string, ports: Pick<Ports, 'bus' | 'cwd'>): string[] {
  const bus = ports.bus()
  const allowed = listDefinitions(ports, ports.cwd).filter(
    (one) => one.name === name && one.source === 'repository' && one.status !== 'not allowed',
  )
  for (const { path } of allowed) {
    changeTrusted(bus, path, null)
    record(bus, 'agent-disallowed', { name, path })
  }
  return allowed.map(({ path }) => path)
}
