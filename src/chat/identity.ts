import { readSessions, type Sessions } from '../bus/names/registry.ts'
import { HUMAN } from '../message/name.ts'
import {
  findIdentity,
  type Identity,
  identityUnknown,
  requireIdentity,
} from '../session/identity.ts'
import type { Ports } from './ports.ts'

const JOIN_HINT = 'join first with: agent-chat join <name>, or add --as <name>'

type IdentityPorts = Pick<Ports, 'env' | 'bus' | 'notice' | 'pressed' | 'typed'>

/** Who runs this command. Tells of clues that disagree. Throws `IDENTITY_UNKNOWN` with `hint`. */
export function whoAmI(
  ports: IdentityPorts,
  argument: string | undefined,
  hint = JOIN_HINT,
  sessions?: Sessions,
): Identity {
  return requireIdentity({ ...clues(ports, sessions), argument, warn: ports.notice }, hint)
}

/**
 * Who sends: as `whoAmI`, and the human at a terminal that is no agent's. Throws `IDENTITY_UNKNOWN`
 * with `hint` where neither tells, as in a script.
 */
export async function whoSpeaks(
  ports: IdentityPorts & Pick<Ports, 'isTerminal'>,
  argument?: string,
  sessions?: Sessions,
  hint = JOIN_HINT,
): Promise<Identity> {
  if (ports.pressed) return { name: HUMAN, source: 'room' }
  // Looked for once: to find the agent above this process takes a look at each one in between.
  const found = findIdentity({ ...clues(ports, sessions), argument, warn: ports.notice })
  if (found) return found
  if (await atOwnTerminal(ports)) return { name: HUMAN, source: 'terminal' }
  throw identityUnknown(hint)
}

/** Whether nobody but a person can be before this command: a terminal, and no sign of an agent. */
export async function atOwnTerminal(
  ports: Pick<Ports, 'env' | 'bus' | 'typed' | 'isTerminal'>,
): Promise<boolean> {
  const { isTerminal } = ports
  if (ports.typed) return true
  if (
    !((await isTerminal('stdin')) || (await isTerminal('stdout')) || (await isTerminal('stderr')))
  )
    return false
  const { personHere } = await import('../trust/human/person.ts')
  const { is } = personHere(ports)
  return is === 'you' || is === 'nobody'
}

/** Who runs this command, where anything tells. */
export function whoMaybe(
  ports: Pick<Ports, 'env' | 'bus'>,
  sessions?: Sessions,
): Identity | undefined {
  return findIdentity({ ...clues(ports, sessions), warn: () => {} })
}

/** Who reads here; nobody where a person does, at a console or a page of theirs. */
export function readerHere(ports: Pick<Ports, 'env' | 'bus' | 'typed'>): Identity | undefined {
  return ports.typed ? undefined : whoMaybe(ports)
}

function clues(ports: Pick<Ports, 'env' | 'bus'>, sessions?: Sessions) {
  const { home, processes } = ports.bus()
  let known = sessions
  const read = () => {
    known ??= readSessions(home)
    return known
  }
  return { env: ports.env, sessions: read, processes, home }
}
