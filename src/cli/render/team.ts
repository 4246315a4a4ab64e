import type { Team } from '../../chat/team/file.ts'
import type { Begun, Planned } from '../../chat/team/start.ts'
import { shortPath } from './paths.ts'
import { table } from './table.ts'

const HEADING = 'session|folder|agent|model|what happens'.split('|')

const PLANS: Record<Planned['plan'], string> = {
  starts: 'starts',
  back: 'comes back with its conversation',
  stays: 'is running, and stays as it is',
}

/** A team: its file, what would be done for each session, and the whole brief of each that starts. */
export function teamText({ path }: Team, planned: Planned[], userHome: string | undefined): string {
  const rows = planned.map(({ name, folder, agent, model, plan }) => [
    `@${name}`,
    shortPath(folder, userHome),
    agent,
    model ?? '',
    PLANS[plan],
  ])
  const briefs = planned.flatMap(({ name, plan, brief }) =>
    plan === 'starts' && brief !== ''
      ? [`\n@${name} is told:\n${brief.replace(/^(?=.)/gm, '  ')}\n`]
      : [],
  )
  return `The team of ${shortPath(path, userHome)}\n\n${table(HEADING, rows)}${briefs.join('')}\n`
}

/** What became of one of them. */
export function begunLine({ name, outcome, why }: Begun): string {
  switch (outcome) {
    case 'started':
      return `✓ @${name} is started\n`
    case 'back':
      return `✓ @${name} is back with its conversation\n`
    case 'stays':
      return `- @${name} is running\n`
    default:
      return `${outcome === 'left' ? '-' : '✗'} @${name} was not started: ${why}\n`
  }
}
