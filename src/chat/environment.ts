import { requireMeans } from '../doorbell/human/means.ts'
import { requireMode } from '../trust/sendGate/rules.ts'

/** Throws `USAGE` where a variable that commands read has a value that there is not. */
export function requireValues(env: NodeJS.ProcessEnv): void {
  requireMode(env.AGENT_CHAT_GATE)
  requireMeans(env.AGENT_CHAT_NOTIFY)
}
