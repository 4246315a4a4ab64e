import type { Command } from 'commander'
import { approve, revokeApproval } from '../../chat/approve.ts'
import { addCommand } from '../command.ts'
import { parseAge, parseCount } from '../options/argument.ts'
import { withSpeaker } from '../options/speaker.ts'
import type { Ports } from '../ports.ts'
import { renderApproved } from '../render/approval.ts'

type Flags = { count?: number; for?: number; name?: string; revoke?: boolean; json?: boolean }

export function approveCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'approve',
    'agent-chat approve @frontend --as backend\nagent-chat approve @frontend --as backend -n 3 --for 2h',
  )
  withSpeaker(command, ports, 'name')
    .argument('<peer>', 'the other session')
    .option('-n, --count <n>', 'this many messages (1, or with --for: any number)', parseCount)
    .option('--for <time>', 'for so long: 30m, 2h, 1d', parseAge)
    .option('--revoke', 'take an approval back')
    .action((peer: string, { count, for: forMs, name, revoke, json }: Flags) => {
      const approved = revoke
        ? revokeApproval({ peer, name }, ports)
        : approve({ peer, name, count, forMs }, ports)
      ports.print(json ? `${JSON.stringify(approved)}\n` : renderApproved(approved))
    })
}
