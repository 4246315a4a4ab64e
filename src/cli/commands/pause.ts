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
import { askYesNo } from '../../system/ask.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type Flags = { json?: boolean }
type ReleaseFlags = Flags & { all?: boolean; yes?: boolean }

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
    const held = plural(resumed.held, 'held message')
    if (resumed.held > 0)
      ports.notice(`the loop rule keeps ${held}; to let go: agent-chat release --all`)
  })
}

export function releaseCommand(program: Command, ports: Ports): void {
  addCommand(program, 'release', 'agent-chat release k7f3m\nagent-chat release --all')
    .argument('[chain]', CHAIN)
    .option('--all', 'the held messages of every chain, after a question that says how many')
    .option('--yes', 'with --all: do not ask')
    .action(async (chain: string | undefined, options: ReleaseFlags) => {
      if ((options.all === true) === (chain !== undefined))
        throw new CodedError('USAGE', 'release takes a chain, or --all', {
          hint: 'see the held messages with: agent-chat gate; let them all go: agent-chat release --all',
        })
      const all = (count: number) => confirmed(count, options, ports)
      const resumed = chain === undefined ? await releaseAll(all, ports) : resumeChain(chain, ports)
      tell(resumed, options, ports)
    })
}

/** Says how many messages `release --all` lets go, and asks for a yes. Throws without one. */
async function confirmed(count: number, { yes, json }: ReleaseFlags, ports: Ports): Promise<void> {
  if (yes) return
  const held = plural(count, 'held message')
  if (json || !(await ports.isTerminal('stdin')))
    throw new CodedError('USAGE', `release --all asks before it lets ${held} go`, {
      hint: 'answer it in a terminal, or say: agent-chat release --all --yes',
    })
  if (!(await askYesNo(`Release ${held}?`)))
    throw new CodedError('GATE_REFUSED', `nothing was released: ${held} kept`, {
      hint: 'to let one chain go: agent-chat release <chain>; see them with: agent-chat gate',
    })
}

function tell(resumed: Resumed, { json }: Flags, ports: Ports): void {
  const text =
    resumed.resumed.length === 0
      ? 'no message is held'
      : `${plural(resumed.resumed.length, 'held message')} released`
  ports.print(`${json ? JSON.stringify(resumed) : text}\n`)
}
