import { runQuietly } from '../system/run.ts'
import type { Check } from './check.ts'
import { pluginsOf, roomPlugin } from './programs.ts'

const INSTALL_MS = 60_000

type RoomPorts = {
  env: NodeJS.ProcessEnv
  /** Asks the person who is there; undefined where nobody is. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/**
 * Offers the room to somebody who has the plugin in every Claude Code: sessions of `agent-chat
 * start` have it anyway. Never without a yes, because it costs every session memory.
 */
export async function offerRoom({ env, ask }: RoomPorts, home: string): Promise<Check[]> {
  const own = Object.keys(pluginsOf(env, home)).find((name) => name.startsWith('agent-chat@'))
  if (own === undefined || ask === undefined || roomPlugin(env, home) !== undefined) return []
  const agreed = await ask(
    'Show messages and decisions inside every Claude Code? This costs about 57 MiB a session',
  )
  if (!agreed) return []
  const room = own.replace('agent-chat@', 'agent-chat-room@')
  const { code } = await runQuietly(['claude', 'plugin', 'install', room], env, INSTALL_MS)
  if (code === 0) return [{ name: 'room', status: 'ok', detail: `installed ${room}` }]
  const hint = `try it in Claude Code: /plugin install ${room}`
  return [{ name: 'room', status: 'warning', detail: `${room} could not be installed`, hint }]
}
