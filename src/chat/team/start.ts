import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { agentOf } from '../../agents/agents.ts'
import { CLAUDE } from '../../agents/claude.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { isCoded } from '../../errors.ts'
import { PROGRAM } from '../../message/name.ts'
import { isAlive } from '../../session/roster.ts'
import { unless } from '../../system/errno.ts'
import { launchInTmux } from '../launch/inTmux.ts'
import type { Ports } from '../ports.ts'
import { bringBack, someAtATime } from '../resume/bringBack.ts'
import { type Ended, endedSessions } from '../resume/rows.ts'
import { type Team, whyNotThere } from './file.ts'
import type { Member } from './parse.ts'

/**
 * A session of a team, and what is done for it. It `starts`, or is `back` where it ended in this
 * folder with a conversation that its agent has kept; one that runs `stays` as it is. `folder`: its
 * path, absolute.
 */
export type Planned = Member & { plan: 'starts' | 'back' | 'stays'; ended?: Ended }

/** What became of it. */
export type Begun = Planned & {
  outcome: 'started' | 'back' | 'stays' | 'left' | 'failed'
  why: string | null
}

/** What would be done for each session of a team. */
export async function planTeam({ base, members }: Team, ports: Ports): Promise<Planned[]> {
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  const ended = endedSessions(ports)
  return Promise.all(
    members.map(async (member): Promise<Planned> => {
      const planned = { ...member, folder: realpathSync(join(base, member.folder)) }
      const session = findSession(sessions, member.name)
      if (session && (await isAlive(session, { ...bus, tmux: ports.tmux })) !== 'gone')
        return { ...planned, plan: 'stays' }
      const one = ended.find(({ row, goesOn }) => row.name === member.name && goesOn)
      return one && isSame(one, planned)
        ? { ...planned, plan: 'back', ended: one }
        : { ...planned, plan: 'starts' }
    }),
  )
}

/** Whether that session ended in this folder, with this agent. */
function isSame({ launch, goesOn }: Ended, { folder, agent }: Member): boolean {
  const cwd = unless(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'], () => realpathSync(launch.cwd))
  return cwd === folder && goesOn?.agent.name === agent
}

/**
 * Starts the sessions of a team, three at a time, and tells of each. A session that begins with a new
 * conversation gets its brief, as words that nobody has said.
 */
export function startTeam(
  { base }: Team,
  planned: Planned[],
  ports: Ports,
  tell: (begun: Begun) => void,
): Promise<Begun[]> {
  return someAtATime(planned, async (one) => {
    // An agent in the repository may have put a link there since.
    const moved = whyNotThere(base, one.folder.slice(base.length) || '.')
    const said = moved
      ? ({ outcome: 'left', why: `its folder ${moved}` } as const)
      : await begin(one, ports)
    if (said.outcome === 'started' && one.brief !== '') sendBrief(one, ports)
    const begun = { ...one, ...said }
    tell(begun)
    return begun
  })
}

type Said = Pick<Begun, 'outcome' | 'why'>

/** Its arguments are those of the file, also where it was once started with others. */
async function begin(planned: Planned, ports: Ports): Promise<Said> {
  const { name, agent, folder, model, plan, ended } = planned
  if (plan === 'stays') return { outcome: 'stays', why: null }
  const known = agentOf(agent) ?? CLAUDE
  const command = known === CLAUDE ? null : known.programs[0]
  const agentArgs = model === undefined ? [] : ['--model', model]
  if (ended) {
    const launch = { ...ended.launch, command, program: known.name, cwd: folder }
    const [back] = await bringBack([{ ...ended, launch, back: agentArgs }], ports)
    const { outcome, why } = back ?? { outcome: 'failed', why: null }
    return { outcome: outcome === 'fresh' ? 'started' : outcome, why }
  }
  try {
    const handover = { env: ports.env, agentArgs, command, agent: known.name, force: false }
    const launched = await launchInTmux(name, handover, { detach: true }, { ...ports, cwd: folder })
    return typeof launched === 'object' && launched.outcome === 'started'
      ? { outcome: 'started', why: null }
      : { outcome: 'stays', why: null }
  } catch (error) {
    if (isCoded(error, 'NAME_TAKEN')) return { outcome: 'left', why: error.message }
    if (isCoded(error)) return { outcome: 'failed', why: error.message }
    throw error
  }
}

function sendBrief({ name, brief }: Member, { bus }: Pick<Ports, 'bus'>): void {
  const subject = 'your part, from the team file of this repository'
  sendMessage(bus(), { from: PROGRAM, to: name, kind: 'event', subject, body: brief })
}
