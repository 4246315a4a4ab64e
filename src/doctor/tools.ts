import type { Bus } from '../bus/bus.ts'
import type { Check } from '../setup/check.ts'
import { unlistedTools } from '../trust/toolGate/unlisted.ts'

/** Tools of agents that agent-chat does not know: worth knowing, and no fault. */
export function checkTools(bus: Bus): Check[] {
  const tools = unlistedTools(bus.home)
  if (tools.length === 0) return []
  return [
    {
      name: 'tools',
      status: 'warning',
      detail: `agent-chat does not know these tools, and asks you before a message uses them: ${tools.join(', ')}`,
      hint: 'look for a newer agent-chat; the tools that it knows are in docs/guardrails.md',
    },
  ]
}
