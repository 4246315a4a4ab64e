import { CodedError } from '../errors.ts'
import type { Ports } from './ports.ts'

/** Whether this runs in a popup of tmux, which gives its command no pane. */
export function inPopup({ env }: Pick<Ports, 'env'>): boolean {
  return Boolean(env.TMUX) && !env.TMUX_PANE
}

/** tmux has popups since this version. */
const POPUPS_SINCE = 3.2

/**
 * Opens the console in a popup over this tmux client, until the human leaves it; the exit code is
 * that of the console. Throws `USAGE` outside tmux, and for a tmux without popups.
 */
export async function openPopup(to: string | undefined, ports: Ports): Promise<void> {
  const { env, tmux, self } = ports
  const socket = env.TMUX?.split(',')[0]
  if (!socket || inPopup(ports)) {
    const where = socket ? 'this is already a popup' : 'a popup needs tmux'
    throw new CodedError('USAGE', `${where}; agent-chat console --popup runs in a tmux pane`, {
      hint: 'agent-chat console',
    })
  }
  const { stdout } = await tmux.run(['display-message', '-p', '#{version}'], socket)
  if (!(Number.parseFloat(stdout.replace(/^\D+/, '')) >= POPUPS_SINCE))
    throw new CodedError(
      'USAGE',
      `popups need tmux ${POPUPS_SINCE} or newer; this one is ${stdout.trim() || 'older'}`,
      {
        hint: 'agent-chat console',
      },
    )
  const kept = Object.entries(env).flatMap(([key, value]) =>
    /^(AGENT_CHAT_|NO_COLOR$)/.test(key) ? [`${key}=${value}`] : [],
  )
  const console = [self.node, self.script, 'console', ...(to === undefined ? [] : [`@${to}`])]
  const popup = ['display-popup', '-E', '-w', '90%', '-h', '90%', 'env', '-u', 'TMUX_PANE']
  ports.setExitCode(await tmux.runHere([...popup, ...kept, ...console], socket))
}
