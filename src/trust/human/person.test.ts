import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ProcessInfo } from '../../system/processes.ts'
import { tempBus } from '../../testing/home.ts'
import { personHere } from './person.ts'
import { rightOf } from './rights.ts'

/** No processes have these numbers, so nothing else is read of them. */
const ref = (pid: number) => ({ pid: 2 ** 30 + pid, started: `s${pid}` })
const RUNNING: [pid: number, parent: number, command: string][] = [
  // The shell of a pane, @frontend in it, and what both of them run.
  [10, 0, 'bash'],
  [20, 10, 'claude'],
  [21, 20, 'bash'],
  [30, 10, 'unknown'],
  // A daemon that @frontend's hooks tell of.
  [40, 0, 'claude'],
]

function personBelow(parent: number, env: NodeJS.ProcessEnv, told = 20) {
  const list = [...RUNNING, [99, parent, 'node'] as const]
  const find = (pid: number): ProcessInfo | undefined => {
    const found = list.find(([one]) => ref(one).pid === pid)
    if (!found) return undefined
    const [own, above, command] = found
    const up = above === 0 ? 1 : ref(above).pid
    return { ...ref(own), parent: up, command, group: ref(own).pid, foreground: -1 }
  }
  const known = tempBus()
  const { home } = known
  const pane = { pane: '%1', tmux_socket: '/s', pane_process: ref(10) }
  const frontend = { name: 'frontend', agent: ref(20), native: true, ...pane }
  writeFileSync(home.sessions, JSON.stringify({ frontend }))
  mkdirSync(home.states, { recursive: true })
  const turn = { id: 'p', began: 'human', at: 'x', opened: null, chain: null, work: 0, asked: [] }
  const state = { activity: 'busy', since: 'x', agent: ref(told), turn }
  writeFileSync(home.state('frontend'), JSON.stringify(state))
  const isAlive = ({ pid, started }: { pid: number; started: string }) =>
    find(pid)?.started === started
  const processes = { ...known.processes, self: () => ref(99), find, isAlive }
  const bus = { ...known, processes }
  return personHere({ env, bus: () => bus })
}

const NAME = { AGENT_CHAT_NAME: 'frontend' }
const PANE = { TMUX: '/s,1,0', TMUX_PANE: '%1' }

test.each<[what: string, below: number, env: NodeJS.ProcessEnv, told: number, right: string]>([
  ['its agent', 21, {}, 20, 'yes'],
  ['its agent, with a name', 21, NAME, 20, 'yes'],
  ['its pane, beside its agent', 10, PANE, 20, 'no'],
  ['its pane, with its name', 10, { ...NAME, ...PANE }, 20, 'no'],
  ['a program in its pane that nobody knows', 30, { ...NAME, ...PANE }, 20, 'no'],
  ['nothing', 0, NAME, 20, 'no'],
  ['nothing, in the turn of another agent', 0, NAME, 40, 'no'],
])('a turn of yours gives a right to what runs below %s', (_, below, env, told, right) => {
  const person = personBelow(below, env, told)
  expect(person).toMatchObject({ is: 'joined', name: 'frontend', own: right === 'yes' })
  expect(rightOf('approve', person)).toBe(right)
})
