import { logLine } from '../system/log.ts'
import { sessionStart } from './events/session-start.ts'
import { type Payload, parsePayload } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { type Reply, SILENT } from './reply.ts'

type Hook = (ports: HookPorts, payload: Payload) => Reply

/** The hooks by the word that `hooks.json` gives them. */
const HOOKS: Record<string, Hook> = {
  'session-start': sessionStart,
}

/** Answers one hook. A fault of our own is logged, and the session goes on as if there were no hook. */
export function runHook(word: string | undefined, stdin: () => string, ports: HookPorts): Reply {
  try {
    const hook = word === undefined ? undefined : HOOKS[word]
    return hook ? hook(ports, parsePayload(stdin())) : SILENT
  } catch (error) {
    noteFault(word, error, ports)
    return SILENT
  }
}

function noteFault(word: string | undefined, error: unknown, ports: HookPorts): void {
  try {
    logLine(
      ports.bus().home.hookLog,
      `${word}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  } catch {
    // Without a home there is nobody to tell.
  }
}
