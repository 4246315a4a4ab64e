import type { Bus } from '../../bus/bus.ts'
import type { Ports } from '../../chat/ports.ts'
import type { WorkerState } from '../../session/workerState.ts'
import { believedWorker } from '../../session/workerState.ts'
import type { Listed } from './definition.ts'
import { listDefinitions } from './list.ts'

/** An agent: its definition, and the worker that runs by it, if one ever has. */
export type AgentRow = Listed & { worker?: WorkerState }

/** Every defined agent, with what its worker does. */
export function agentRows(ports: Pick<Ports, 'bus' | 'cwd'>): AgentRow[] {
  const bus = ports.bus()
  return listDefinitions(ports, ports.cwd).map((listed) => rowOf(bus, listed))
}

export function rowOf(bus: Bus, listed: Listed): AgentRow {
  const worker = listed.status === 'hidden' ? undefined : believedWorker(bus, listed.name)
  return worker === undefined ? listed : { ...listed, worker }
}

/** An agent as data, under the names that its file uses. */
export function agentJson({ definition, worker, ...listed }: AgentRow): Record<string, unknown> {
  return {
    ...listed,
    ...(definition && {
      title: definition.title,
      description: definition.description,
      tools: definition.tools,
      model: definition.model ?? null,
      cwd: definition.cwd ?? null,
      auto_start: definition.autoStart,
      persistent: definition.persistent,
      max_idle_seconds: definition.maxIdleSeconds,
      timeout_seconds: definition.timeoutSeconds,
      max_turns: definition.maxTurns ?? null,
      budget_usd: definition.budgetUsd ?? null,
      trust: definition.trust,
      schedule: definition.schedule ?? null,
      prompt: definition.scheduledPrompt ?? null,
      capabilities: definition.capabilities,
      system_prompt: definition.prompt,
      hash: definition.hash,
    }),
    worker: worker ?? null,
  }
}
