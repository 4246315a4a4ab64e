import type { Command } from 'commander'
import {
  pauseDoorbells,
  type Resumed,
  releaseAll,
  resumeChain,
  unpauseDoorbells,
} from '../../chat/pause.ts'
import { CodedError } from '../../errors.ts'
import { plural } from '../../message/text.ts'
import { allHeld } from '../../trust/sendGate/held.ts'
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
    const resumed = unpauseDoorbells(ports)
    const text = resumed.unpaused ? 'notifications are on again' : 'nothing was paused'
    ports.print(`${options.json ? JSON.stringify(resumed) : text}\n`)
    const held = plural(allHeld(ports.bus()).length, 'held message')
    if (!held.startsWith('0 '))
      ports.notice(`the loop rule keeps ${held}; to let go: agent-chat release --all`)
  })
}

export function releaseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'release', 'agent-chat release k7f3m\nagent-chat release --all')
    .argument('[chain]', CHAIN)
    .option('--all', 'the held messages of every chain')
    .action((chain: string | undefined, options: Flags & { all?: boolean }) => {
      if ((options.all === true) === (chain !== undefined))
        throw new CodedError('USAGE', 'release takes a chain, or --all', {
          hint: 'see the held messages with: agent-chat gate; let them all go: agent-chat release --all',
        })
      tell(chain === undefined ? releaseAll(ports) : resumeChain(chain, ports), options, ports)
    })
}

function tell(resumed: Resumed, { json }: Flags, ports: Ports): void {
  const text =
    resumed.resumed.length === 0
      ? 'no message is held'
      : `${plural(resumed.resumed.length, 'held message')} released`
  ports.print(`${json ? JSON.stringify(resumed) : text}\n`)
}
