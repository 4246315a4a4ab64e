import type { AgentScreen, StartDialog } from '../agents/agent.ts'
import { AGENTS, agentOf, screenOf } from '../agents/agents.ts'
import type { Session } from '../bus/names/registry.ts'
import type { Tmux } from '../system/tmux.ts'

/**
 * The dialog before its first prompt that an agent with this screen shows; undefined for any other
 * screen. `text` may have SGR escapes.
 */
export function dialogOn(text: string, { dialogs }: AgentScreen): StartDialog | undefined {
  const words = text.replace(/\x1b\[[0-9;:]*m/g, '').replace(/[\s│┃]+/g, ' ')
  return dialogs?.find(([, shows]) => shows.test(words))?.[0]
}

/**
 * Whether a session that no hook has told of yet may stand at such a dialog: an agent whose hooks
 * would tell. `noHooks`: why they have not, where they should have.
 */
export function mayStandAtDialog(
  { native, program, pane }: Session,
  noHooks: string | undefined,
): boolean {
  const known = program === undefined ? native || noHooks !== undefined : true
  return pane !== null && known && (agentOf(program) ?? AGENTS[0]).screen?.dialogs !== undefined
}

/** The dialog that a session's pane shows now; undefined where that cannot be seen. */
export async function startDialogOf(
  { pane, tmux_socket: socket, program }: Session,
  tmux: Pick<Tmux, 'run'>,
): Promise<StartDialog | undefined> {
  if (pane === null || socket === null) return undefined
  const { code, stdout } = await tmux.run(['capture-pane', '-p', '-t', pane], socket)
  return code === 0 ? dialogOn(stdout, screenOf(program)) : undefined
}
