import type { Approved } from '../../chat/approve.ts'
import type { Approval } from '../../gate/ledger.ts'
import { plural } from '../../message/text.ts'
import { localTime } from '../../system/zone.ts'

/** What is approved now, in one line. */
export function renderApproved({ name, peer, approval }: Approved): string {
  const what =
    approval === null
      ? 'no longer approved beforehand'
      : `approved for ${describeApproval(approval)}`
  return `messages between @${name} and @${peer} are ${what}\n`
}

/** `3 more messages until 2026-11-21 05:39`. */
export function describeApproval({ left, until }: Approval): string {
  const count = left === null ? 'any number of messages' : plural(left, 'more message')
  return until === null ? count : `${count} until ${localTime(until)}`
}
