import type { Command } from 'commander'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { EXIT } from '../../chat/exit.ts'
import { requireHuman } from '../../chat/human.ts'
import { type RestLink, restLinks } from '../../chat/remote/links.ts'
import { bringBack, type Outcome } from '../../chat/resume/bringBack.ts'
import { type Ended, endedSessions } from '../../chat/resume/rows.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { plural } from '../../message/text.ts'
import { askYesNo } from '../../system/ask.ts'
import { type Started, up } from '../../worker/supervise/control.ts'
import { usable } from '../../worker/supervise/definitions.ts'
import type { UpPorts } from '../../worker/supervise/ports.ts'
import { type RestWorker, restWorkers } from '../../worker/supervise/rest.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { linkLine, outcomeLine, resumeTable } from '../render/resume.ts'
import { startedLine } from '../render/worker.ts'

type Flags = { dryRun?: boolean; yes?: boolean; all?: boolean; json?: boolean }

export function resumeCommand(program: Command, ports: Ports): void {
  addCommand(program, 'resume', 'agent-chat resume\nagent-chat resume backend frontend')
    .argument('[names...]', 'these sessions alone')
    .option('--all', 'also sessions that ended while the machine and tmux went on')
    .option('--dry-run', 'show what would come back, and start nothing')
    .option('--yes', 'do not ask, but for options that load code or lift permissions')
    .action(async (names: string[], flags: Flags) => resume(names, flags, ports))
}

async function resume(names: string[], flags: Flags, ports: Ports): Promise<void> {
  if (!flags.dryRun) requireHuman('resume', ports)
  const chosen = choose(names, flags, ports)
  const rest = names.length === 0 ? restOf(flags, ports) : { workers: [], links: [] }
  const count = chosen.length + rest.workers.length + rest.links.length
  if (!flags.json) show(chosen, rest, ports)
  if (flags.dryRun || count === 0) {
    const sessions = chosen.map(({ row }) => row)
    if (flags.json) ports.print(`${JSON.stringify({ sessions, ...rest })}\n`)
    return
  }
  const { sure, refused } = await confirmed(chosen, rest, flags, ports)
  const tell = (outcome: Outcome) => {
    if (!flags.json) ports.print(outcomeLine(outcome))
  }
  for (const outcome of refused) tell(outcome)
  const outcomes = [...refused, ...(await bringBack(sure, ports, tell))]
  const workers = await workersBack(rest.workers, flags, ports)
  const links = rest.links.length > 0 ? await linksBack(rest.links, flags, ports) : []
  if (flags.json) ports.print(`${JSON.stringify({ sessions: outcomes, workers, links })}\n`)
  const isFault = ({ outcome }: Outcome) =>
    outcome === 'failed' || (names.length > 0 && outcome === 'left')
  if (outcomes.some(isFault) || workers.some(({ state }) => state === 'failed'))
    ports.setExitCode(EXIT.fault)
}

/** What else ran. */
type Rest = { workers: RestWorker[]; links: RestLink[] }

function restOf({ all }: Flags, ports: Ports): Rest {
  const links = restLinks(ports.bus()).filter((link) => all || link.with_machine)
  return { workers: restWorkers(ports.bus()), links }
}

/** Those that were named; else those that ended with the machine or its tmux, or all. */
function choose(names: string[], { all }: Flags, ports: Ports): Ended[] {
  const ended = endedSessions(ports)
  if (names.length === 0) return ended.filter(({ row }) => all || row.with_machine)
  return [...new Set(names.map(parseName))].map((name) => {
    const found = ended.find(({ row }) => row.name === name)
    if (found) return found
    if (isHere(name, ports))
      throw new CodedError('NAME_TAKEN', `@${name} is here already`, {
        hint: `show its terminal with: agent-chat attach ${name}`,
      })
    throw new CodedError(
      'SESSION_UNKNOWN',
      `@${name} is not among the sessions that can come back`,
      {
        hint: `see them with: agent-chat resume --all --dry-run; to start a new one: agent-chat start ${name}; held messages are let go with: agent-chat release`,
      },
    )
  })
}

function isHere(name: string, ports: Ports): boolean {
  const { home, processes } = ports.bus()
  const agent = findSession(readSessions(home), name)?.agent
  return Boolean(agent && processes.isAlive(agent))
}

function show(chosen: Ended[], { workers, links }: Rest, ports: Ports): void {
  const rows = [
    ...chosen.map(({ row }) => row),
    ...workers.map(({ name, cwd }) => ({
      ...{ name: `@${name}`, folder: cwd, agent: 'a worker', goes_on: 'its messages' },
    })),
    ...links.map(({ host, last_seen }) => ({
      ...{ name: `link ${host}`, last_seen, agent: 'a link', goes_on: 'what is queued' },
    })),
  ]
  if (rows.length > 0) ports.print(resumeTable(rows, ports.env.HOME, ports.bus().clock.now()))
  else
    ports.print('no session ended with the machine; see the others with: agent-chat resume --all\n')
}

/** Asks once for all, and once more for each that loads code or lifts permissions. */
async function confirmed(chosen: Ended[], { workers, links }: Rest, flags: Flags, ports: Ports) {
  const { yes, json } = flags
  const atTerminal = !yes && !json && (await ports.isTerminal('stdin'))
  const count = chosen.filter(({ row }) => row.not === null).length
  const what = [
    [count, 'session'] as const,
    [workers.length, 'worker'] as const,
    [links.length, 'link'] as const,
  ].flatMap(([some, kind]) => (some > 0 ? [plural(some, kind)] : []))
  if (!yes && !atTerminal)
    throw new CodedError('USAGE', 'resume asks before it starts anything', {
      hint: 'answer it in a terminal, or say: agent-chat resume --yes',
    })
  if (!yes && what.length > 0 && !(await askYesNo(`Bring back ${what.join(' and ')}?`)))
    throw new CodedError('GATE_REFUSED', 'nothing was started', {
      hint: 'to bring back some of them: agent-chat resume <names>',
    })
  const sure: Ended[] = []
  const refused: Outcome[] = []
  for (const one of chosen) {
    const { name, asks } = one.row
    const question = `@${name} was started with ${asks.join(', ')}, which can load code or lift permissions. Bring it back?`
    if (asks.length === 0 || one.row.not !== null || (atTerminal && (await askYesNo(question))))
      sure.push(one)
    else
      refused.push({
        ...one.row,
        outcome: 'left',
        why: atTerminal
          ? 'you said no'
          : `${asks.join(', ')} can load code or lift permissions; say yes in a terminal: agent-chat resume ${name}`,
      })
  }
  return { sure, refused }
}

/**
 * Workers go on by their supervisor, which this starts, in the directory that they were started in.
 * One whose definition is gone, or is not allowed any more, keeps no other from it.
 */
async function workersBack(rest: RestWorker[], { json }: Flags, ports: Ports): Promise<Started[]> {
  const started: Started[] = []
  const tell = (one: Started) => {
    started.push(one)
    if (!json) ports.print(startedLine(one))
  }
  for (const cwd of new Set(rest.map((one) => one.cwd))) {
    const own = usable({ ...ports, cwd })
    const names = rest.filter((one) => one.cwd === cwd).map(({ name }) => name)
    const sound = names.filter((name) => {
      const reason = whyNotUsable(name, own)
      if (reason !== undefined) tell({ name, pid: null, state: 'failed', reason })
      return reason === undefined
    })
    if (sound.length > 0) await up(sound, own, tell)
  }
  return started
}

function whyNotUsable(name: string, { require }: Pick<UpPorts, 'require'>): string | undefined {
  try {
    require(name)
    return undefined
  } catch (error) {
    if (isCoded(error)) return error.message
    throw error
  }
}

async function linksBack(rest: RestLink[], { json }: Flags, ports: Ports) {
  const { linksBack: dial } = await import('../../link/back.ts')
  return dial(rest, ports, (link) => {
    if (!json) ports.print(linkLine(link))
  })
}
