import type { Agent } from '../agents/agent.ts'
import type { Bus } from '../bus/bus.ts'

/** What a hook may touch. It must start fast: nothing here or below it may reach a library. */
export type HookPorts = {
  env: NodeJS.ProcessEnv
  bus: () => Bus
  /** The agent that runs the hook, where it is not Claude Code. */
  agent?: Agent | undefined
  /** How to run the command line. */
  self: { node: string; script: string }
}
