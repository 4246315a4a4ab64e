import { readSessions, type Sessions } from '../bus/registry.ts'
import { findIdentity, type Identity, requireIdentity } from '../session/identity.ts'
import type { Ports } from './ports.ts'

type IdentityPorts = Pick<Ports, 'env' | 'bus' | 'say'>

/** Who runs this command. Tells of clues that disagree. Throws `IDENTITY_UNKNOWN` with `hint`. */
export function whoAmI(
  ports: IdentityPorts,
  argument: string | undefined,
  hint: string,
  sessions?: Sessions,
): Identity {
  const warn = (text: string) => ports.say(`agent-chat: ${text}`)
  return requireIdentity({ ...clues(ports, sessions), argument, warn }, hint)
}

/** Who runs this command, where anything tells. */
export function whoMaybe(ports: Pick<Ports, 'env' | 'bus'>): Identity | undefined {
  return findIdentity({ ...clues(ports), warn: () => {} })
}

function clues(ports: Pick<Ports, 'env' | 'bus'>, sessions?: Sessions) {
  const { home, processes } = ports.bus()
  let known = sessions
  const read = () => {
    known ??= readSessions(home)
    return known
  }
  return { env: ports.env, sessions: read, processes }
}
