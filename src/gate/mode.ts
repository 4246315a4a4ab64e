import type { Mode } from './rules.ts'

/** `AGENT_CHAT_GATE`; anything but `warn` and `off` enforces. */
export function parseMode(input: string | undefined): Mode {
  return input === 'warn' || input === 'off' ? input : 'enforce'
}
