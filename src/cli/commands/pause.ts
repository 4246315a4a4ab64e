import type { Command } from 'commander'
import { pauseDoorbells, resumeAll, resumeChain } from '../../chat/pause.ts'
import { CodedError } from '../../errors.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

export function pauseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'pause', 'agent-chat pause').action((options: { json?: boolean }) => {
    pauseDoorbells(ports)
    const text =
      'every doorbell is silent; messages are kept. Go on with: agent-chat resume --all\n'
    ports.print(options.json ? `${JSON.stringify({ paused: true })}\n` : text)
  })
}

export function resumeCommand(program: Command, ports: Ports): void {
  addCommand(program, 'resume', 'agent-chat resume k7f3m\nagent-chat resume --all')
    .argument(
      '[chain]',
      'the chain of a held message, or a part that only one has; see: agent-chat gate',
    )
    .option('--all', 'every held message, and every doorbell that was paused')
    .action((chain: string | undefined, { all, json }: { all?: boolean; json?: boolean }) => {
      if ((all === true) === (chain !== undefined)) {
        throw new CodedError('USAGE', 'resume takes a chain, or --all', {
          hint: 'see what is held with: agent-chat gate',
        })
      }
      const resumed = chain === undefined ? resumeAll(ports) : resumeChain(chain, ports)
      if (json) return ports.print(`${JSON.stringify(resumed)}\n`)
      const rings = resumed.unpaused ? '; the doorbells ring again' : ''
      ports.print(`${plural(resumed.resumed.length, 'held message')} released${rings}\n`)
    })
}
