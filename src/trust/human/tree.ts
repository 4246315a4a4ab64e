import { agentNameOfProcess } from '../../agents/programs.ts'
import type { ProcessInfo } from '../../system/processes.ts'
import { isHarmless, kindOf, readsTerminal } from './programs.ts'

/**
 * A process as this decision sees it. `args`: the words that it was started with, where they can be
 * seen. `mark`: a variable in its environment that an agent's program leaves there, or `unreadable`.
 * `root`: it runs as root; `mine`: as the user of this command.
 */
export type Seen = Pick<ProcessInfo, 'pid' | 'parent' | 'command' | 'group' | 'foreground'> & {
  args: string[] | undefined
  mark: string | undefined
  root: boolean
  mine: boolean
}

/**
 * Who gave a command, by the processes above it: `typed` into a shell at a terminal; `direct`, at a
 * terminal whose program started it without a shell that somebody types into; `agent`; or `nobody`:
 * nothing shows a person, and nothing an agent. `why` begins with what was found.
 */
export type Tree = { is: 'typed' } | { is: 'direct' } | { is: 'agent' | 'nobody'; why: string }

/** The variable that stands for an environment that cannot be read. */
export const UNREADABLE = 'unreadable'

/**
 * Judges a process by itself and all above it, the nearest first and the last included. `clients`
 * gives the trees of the programs that show this tmux session, looked for only where they decide.
 */
export function judgeTree(chain: Seen[], clients: () => Seen[][] = () => []): Tree {
  const [self] = chain
  if (!self) return { is: 'nobody', why: 'its process cannot be seen' }
  // The uppermost is the nearest to the agent, where its commands inherit a variable.
  const marks = chain.filter(isMark)
  const mark = marks.findLast((one) => one.mark !== UNREADABLE) ?? marks.at(-1)
  const program = chain.find((one) => agentNameOfProcess(one.command, () => one.args))
  const tree = shapeOf(chain)
  if (program && !mark) return { is: 'agent', why: `${named(program)} is above it` }
  if (!mark) return tree
  const why = `${markOf(mark)} is in the environment of ${mark === self ? 'this command, ' : ''}${named(mark)}`
  if (program || tree.is === 'nobody' || !overrules(chain, clients)) return { is: 'agent', why }
  return tree
}

function isMark(seen: Seen): boolean {
  if (seen.mark === undefined) return false
  return seen.mark !== UNREADABLE || (seen.mine && seen.pid !== 1 && !isHarmless(seen))
}

function markOf({ mark }: Seen): string {
  return mark === UNREADABLE ? 'something that cannot be read' : (mark ?? '')
}

function named({ command, pid }: Seen): string {
  return `${command} (process ${pid})`
}

/** Where the tree of a terminal begins: everything above is not about who types there. */
function endOf(chain: Seen[]): number {
  return chain.findIndex(
    (one, at) => at > 0 && /terminal|login|editor|keeper/.test(kindOf(one) ?? ''),
  )
}

/** What the tree says where no mark is in it. */
function shapeOf(chain: Seen[]): Tree {
  const [self, ...above] = chain as [Seen, ...Seen[]]
  if (self.foreground <= 0) return { is: 'nobody', why: 'it has no terminal' }
  if (self.group !== self.foreground) return { is: 'nobody', why: 'it runs in the background' }
  const found = endOf(chain)
  const last = chain.at(-1) as Seen
  const isEdge = last.parent === 0 && (last.pid !== 1 || last === self || readsTerminal(last))
  if (found < 0 && !isEdge)
    return {
      is: 'nobody',
      why: `no terminal program is known above ${named(above.findLast(({ pid }) => pid > 1) ?? self)}`,
    }
  const below = chain.slice(1, found < 0 ? undefined : found)
  const stranger = below.find((one) => kindOf(one) === undefined)
  const shell = below.findIndex((one) => readsTerminal(one) && one.foreground > 0)
  if (!stranger && shell >= 0 && isJobOf(chain, shell + 1)) return { is: 'typed' }
  // Somebody looks at this very terminal, and can be asked.
  const shared = below.every(
    (one) => one.foreground === self.foreground || kindOf(one) === 'wrapper',
  )
  if (stranger && !shared)
    return { is: 'nobody', why: `${named(stranger)} gave it a terminal, and may be an agent` }
  return found < 0 && !stranger ? { is: 'typed' } : { is: 'direct' }
}

/** Whether the shell's terminal is that of its job; only a wrapper gives that another one. */
function isJobOf(chain: Seen[], shell: number): boolean {
  // Two on one terminal see the same group in its foreground.
  const terminal = chain[shell]?.foreground
  const jobs = chain.slice(0, shell)
  if (jobs.at(-1)?.foreground !== terminal) return false
  return jobs[0]?.foreground === terminal || jobs.some((one) => kindOf(one) === 'wrapper')
}

/**
 * Whether the tree says more than a variable in it: it is whole up to a login or a terminal's
 * program, with a shell in which somebody types, or somebody looks at this tmux session whose own
 * tree is whole and without marks. What ends at the first process or at a bare tmux server proves
 * nothing.
 */
function overrules(chain: Seen[], clients: () => Seen[][]): boolean {
  if (shapeOf(chain).is !== 'typed') return false
  const at = endOf(chain)
  const end = chain[at]
  if (!end) return false
  if (kindOf(end) === 'keeper')
    return /^tmux/.test(end.command) && clients().some((client) => isWholeAndFree(client))
  return isWhole(chain, at, end)
}

function isWhole(chain: Seen[], at: number, end: Seen): boolean {
  const above = chain.slice(at + 1)
  // What started the terminal's program may have started it for itself.
  if (above.some((one) => isMark(one) && kindOf(one) !== kindOf(end))) return false
  const kind = kindOf(end)
  if (kind === 'login') return end.root || above.some(({ root, pid }) => root && pid > 1)
  // An extension of an editor gives its terminals marks of its own.
  return kind === 'terminal' || (kind === 'editor' && isMark(end) && end.mark !== UNREADABLE)
}

function isWholeAndFree(chain: Seen[]): boolean {
  if (chain.some(isMark)) return false
  const at = endOf(chain)
  const end = chain[at]
  return (
    end !== undefined &&
    chain.slice(1, at).every((one) => kindOf(one) !== undefined) &&
    isWhole(chain, at, end)
  )
}
