import type { Command } from 'commander'
import { pauseDoorbells, type Resumed, resumeAll, resumeChain } from '../../chat/pause.ts'
import { CodedError } from '../../errors.ts'
import { plural } from '../../message/text.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type Flags = { json?: boolean }

const CHAIN = 'the chain of a held message, or a part that only one has; see: agent-chat gate'

export function pauseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'pause', 'agent-chat pause').action((options: Flags) => {
    pauseDoorbells(ports)
    const text =
      'notifications paused, messages are kept; to turn them on again: agent-chat unpause\n'
    ports.print(options.json ? `${JSON.stringify({ paused: true })}\n` : text)
  })
}

export function unpauseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'unpause', 'agent-chat unpause').action((options: Flags) => {
    tell(resumeAll(ports), options, ports)
  })
}

export function releaseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'release', 'agent-chat release k7f3m')
    .argument('<chain>', CHAIN)
    .action((chain: string, options: Flags) => {
      tell(resumeChain(chain, ports), options, ports)
    })
}

/** The word for both until version 1. */
export function resumeCommand(program: Command, ports: Ports): void {
  addCommand(program, 'resume', 'agent-chat release <chain>\nagent-chat unpause')
    .argument('[chain]', CHAIN)
    .option('--all', 'every held message and every paused doorbell')
    .action((chain: string | undefined, options: Flags & { all?: boolean }) => {
      if ((options.all === true) === (chain !== undefined)) {
        throw new CodedError('USAGE', 'resume is called release and unpause now', {
          hint: 'for one chain: agent-chat release <chain>; for all that is held or paused: agent-chat unpause',
        })
      }
      // Said once the chain is known to be one: any other text is not printed as it came.
      const resumed = chain === undefined ? resumeAll(ports) : resumeChain(chain, ports)
      const now = chain === undefined ? 'unpause' : `release ${chain}`
      ports.notice(`resume is called agent-chat ${now} now`)
      tell(resumed, options, ports)
    })
}

function tell(resumed: Resumed, { json }: Flags, ports: Ports): void {
  const rings = resumed.unpaused ? '; notifications are on again' : ''
  const text =
    resumed.resumed.length === 0 && !resumed.unpaused
      ? 'nothing was paused, and no message is held'
      : `${plural(resumed.resumed.length, 'held message')} released${rings}`
  ports.print(`${json ? JSON.stringify(resumed) : text}\n`)
}
