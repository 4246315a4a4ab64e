import type { Command } from 'commander'
import { type Claim, claim, claimsNow, release } from '../../chat/claim.ts'
import { CodedError } from '../../errors.ts'
import { localTime } from '../../system/zone.ts'
import { addCommand } from '../command.ts'
import { parseDuration } from '../options/argument.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'

type Flags = { for: number; why?: string; release?: boolean; take?: boolean; json?: boolean }

const DEFAULT_MS = 2 * 3600 * 1000

export function claimCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'claim',
    'agent-chat claim \'src/api/**\' --for 2h --why "new pages"\nagent-chat claim\nagent-chat claim --release',
  )
    .argument('[patterns...]', 'files as seen from here: * within a name, ** across folders')
    .addOption(
      program
        .createOption('--for <time>', 'for so long: 30m, 2h, at most 24h')
        .argParser(parseDuration)
        .default(DEFAULT_MS, '2h'),
    )
    .option('--why <text>', 'the reason, which others are told')
    .option('--release', 'release your claims; without a pattern, all of them')
    .option('--take', 'also what another session has claimed; only the person may')
    .action(async (patterns: string[], flags: Flags) => {
      const { release: back, take, why } = flags
      if (back && take)
        throw new CodedError('USAGE', '--release and --take exclude each other', {
          hint: 'leave one out',
        })
      if (take && patterns.length === 0)
        throw new CodedError('USAGE', '--take needs a pattern', {
          hint: "for example: agent-chat claim --take 'src/api/**'",
        })
      if (back) return told('released', await release(patterns, ports), flags, ports)
      if (patterns.length === 0) return list(flags, ports)
      const request = { patterns, forMs: flags.for, take: take === true, ...(why ? { why } : {}) }
      told('claimed', await claim(request, ports), flags, ports)
    })
}

function told(what: 'claimed' | 'released', claims: Claim[], { json }: Flags, ports: Ports): void {
  const line = ({ pattern, until }: Claim) =>
    `${what} ${pattern}${what === 'claimed' ? ` until ${localTime(until)}` : ''}\n`
  ports.print(json ? `${JSON.stringify({ [what]: claims })}\n` : claims.map(line).join(''))
}

function list({ json }: Flags, ports: Ports): void {
  const all = claimsNow(ports)
  const rows = all.flatMap(({ common, claims }) =>
    claims.map(({ pattern, name, until, why }) => [
      ...[`@${name}`, pattern, localTime(until), common.replace(/\/\.git$/, ''), why ?? ''],
    ]),
  )
  const text =
    rows.length === 0
      ? 'nothing is claimed\n'
      : table(['session', 'files', 'until', 'repository', 'why'], rows)
  ports.print(json ? `${JSON.stringify({ repositories: all })}\n` : text)
}
