import { EXIT } from '../../chat/exit.ts'
import { requireHuman } from '../../chat/human.ts'
import { readTeam, type Team } from '../../chat/team/file.ts'
import { type Planned, planTeam, startTeam } from '../../chat/team/start.ts'
import { CodedError } from '../../errors.ts'
import { plural } from '../../message/text.ts'
import { isoTime } from '../../message/time.ts'
import { askYesNo } from '../../system/ask.ts'
import { changeTrusted, readTrusted } from '../../trust/allow/trusted.ts'
import type { Ports } from '../ports.ts'
import { begunLine, teamText } from '../render/team.ts'

type Flags = { yes?: boolean; json?: boolean }

/** Starts the team of this repository, once its person has said yes to the file as it is. */
export async function startTeamHere(flags: Flags, ports: Ports): Promise<number> {
  requireHuman('start --team', ports)
  const team = readTeam(ports.cwd)
  const planned = await planTeam(team, ports)
  if (!flags.json) ports.print(teamText(team, planned, ports.env.HOME))
  if (planned.some(({ plan }) => plan !== 'stays')) await requireYes(team, planned, flags, ports)
  const begun = await startTeam(team, planned, ports, (one) => {
    if (!flags.json) ports.print(begunLine(one))
  })
  if (flags.json) {
    const { path, hash } = team
    const sessions = begun.map(({ ended: _, plan: __, ...one }) => one)
    ports.print(`${JSON.stringify({ path, hash, sessions })}\n`)
  }
  return begun.some(({ outcome }) => outcome === 'failed' || outcome === 'left') ? EXIT.fault : 0
}

/**
 * The yes is kept in the home, for the very text that was shown. Throws `GATE_REFUSED` without it,
 * and `USAGE` where nobody can be asked.
 */
async function requireYes(
  { path, hash }: Team,
  planned: Planned[],
  { yes, json }: Flags,
  ports: Ports,
): Promise<void> {
  const bus = ports.bus()
  const kept = readTrusted(bus.home)[path]
  if (kept?.hash === hash) return
  if (kept) ports.notice('the team file has changed since you said yes to it')
  if (!yes) {
    if (json || !(await ports.isTerminal('stdin')))
      throw new CodedError('USAGE', 'start --team asks before it starts anybody', {
        hint: 'answer it in a terminal, or say: agent-chat start --team --yes',
      })
    const count = planned.filter(({ plan }) => plan !== 'stays').length
    if (
      !(await askYesNo(
        `Start ${plural(count, 'session')}, also later while this file stays the same?`,
      ))
    )
      throw new CodedError('GATE_REFUSED', 'nothing was started', {
        hint: 'to start one session by yourself: agent-chat start backend',
      })
  }
  changeTrusted(bus, path, { name: 'team', hash, at: isoTime(bus.clock.now()) })
}
