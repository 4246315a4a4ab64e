import type { Agent } from '../agents/agent.ts'
import { agentOf } from '../agents/agents.ts'
import type { Session } from '../bus/names/registry.ts'
import type { DoorbellName } from './doorbellInUse.ts'
import { type Guard, UNGUARDED } from './hooksOff.ts'
import type { SessionState } from './state.ts'

/** The way that this agent alone is woken by, null where that is missing; undefined for the rest. */
export function ownBell(
  program: string | undefined,
  noBell: string | undefined,
): DoorbellName | null | undefined {
  const wake = agentOf(program)?.wake
  if (wake === 'host') return null
  if (wake === 'queue' || wake === 'input') return noBell === undefined ? wake : null
  return undefined
}

/**
 * Why nothing can wake a session, where that is so. An agent with a way of its own is not typed to:
 * what would harm it is no second best. `state`: what its hooks have told.
 */
export function noBell(
  { program, server, doorbell }: Session,
  state: Pick<SessionState, 'native'> | undefined,
): { no_bell?: string } {
  const agent = agentOf(program)
  const why = agent && doorbell === 'auto' ? missing(agent, server, state) : undefined
  return why === undefined ? {} : { no_bell: why }
}

/** Whether a program that is not Claude Code has hooks of ours at all. */
export function programGuard(program: string): Guard {
  return agentOf(program)?.hooks ? {} : UNGUARDED
}

function missing(
  { wake, title, name }: Agent,
  server: string | undefined,
  state: Pick<SessionState, 'native'> | undefined,
): string | undefined {
  const remedy = `(agent-chat setup --agent ${name})`
  if (wake === 'host' && !state?.native)
    return `${title} has no extension of agent-chat that answers ${remedy}`
  if (wake === 'queue' && server === undefined)
    return `${title} was started without a server of agent-chat's`
  if (wake === 'input' && server === undefined)
    return `${title} was started without a file of prompts of agent-chat's`
  if (wake === 'input' && state === undefined)
    return `the hooks of ${title} have told nothing ${remedy}`
  return undefined
}
