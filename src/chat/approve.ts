import { record } from '../bus/history.ts'
import { parseSessionName } from '../message/name.ts'
import { type Approval, changeLedger } from '../trust/sendGate/ledger.ts'
import { requireHuman } from './human.ts'
import { whoAmI } from './identity.ts'
import type { Ports } from './ports.ts'
import { tellUnknown } from './recipient.ts'

/** Messages between two sessions: `name` is whose approval it is, where nothing else tells. */
export type ApprovalOf = { peer: string; name?: string | undefined }

/** What is approved beforehand now; null for nothing. */
export type Approved = { name: string; peer: string; approval: Approval | null }

type ApprovePorts = Pick<Ports, 'bus' | 'env' | 'notice'>

/**
 * Approves messages beforehand: `count` of them (by default 1, or with `forMs` any number), for so
 * long. Throws `GATE_REFUSED` in a turn without the human's word.
 */
export function approve(
  {
    count,
    forMs,
    ...whose
  }: ApprovalOf & { count?: number | undefined; forMs?: number | undefined },
  ports: ApprovePorts,
): Approved {
  const now = ports.bus().clock.now()
  return change(whose, 'pre-approved', ports, {
    left: count ?? (forMs === undefined ? 1 : null),
    until: forMs === undefined ? null : new Date(now + forMs).toISOString(),
    at: new Date(now).toISOString(),
  })
}

/** Takes an approval back. */
export function revokeApproval(whose: ApprovalOf, ports: ApprovePorts): Approved {
  return change(whose, 'approval-revoked', ports, null)
}

function change(
  whose: ApprovalOf,
  event: string,
  ports: ApprovePorts,
  approval: Approval | null,
): Approved {
  const peer = parseSessionName(whose.peer)
  const { name } = whoAmI(
    ports,
    whose.name,
    'name the session that may read them: agent-chat approve @frontend --as backend; see the names with: agent-chat who',
  )
  if (approval !== null) requireHuman('approve', ports)
  if (approval !== null) tellUnknown([peer, name], ports)
  const bus = ports.bus()
  changeLedger(bus, name, (ledger) => {
    const { [peer]: _, ...others } = ledger.approvals
    return { ...ledger, approvals: approval === null ? others : { ...others, [peer]: approval } }
  })
  record(bus, event, { name, peer, ...approval })
  return { name, peer, approval }
}
