import type { Command } from 'commander'
import { tellAgent } from '../../bus/bell.ts'
import { unreadCount } from '../../bus/unread.ts'
import { parseSessionName } from '../../message/name.ts'
import { agentAbove, agentInFront, isBelow } from '../../session/agent.ts'
import { needsWatcher, parseDoorbell } from '../../session/doorbellChoice.ts'
import { paneOf } from '../../session/identity.ts'
import { type Joined, join } from '../../session/join.ts'
import type { ProcessRef } from '../../system/processes.ts'
import { spawnDetached } from '../../system/spawn.ts'
import type { PaneAddress } from '../../system/tmux.ts'
import { addCommand } from '../command.ts'
import { resolvePane } from '../pane.ts'
import type { Ports } from '../ports.ts'
import { plural } from '../render/text.ts'

export type JoinOptions = { name: string; pane?: string; force?: boolean; watch?: boolean; doorbell?: string }

type RunPorts = Pick<Ports, 'env' | 'cwd' | 'bus' | 'tmux' | 'say' | 'self'>

export function joinCommand(program: Command, ports: Ports, run = runJoin): void {
  addCommand(
    program,
    'join',
    'register a session and start its watcher',
    'agent-chat join frontend\nagent-chat join frontend %3',
  )
    .argument('<name>', 'the name of the session')
    .argument('[tmux-pane]', 'its tmux pane, this one by default')
    .option('--force', 'take the name over from a session that is alive elsewhere')
    .option('--no-watch', 'start no watcher')
    .option('--doorbell <doorbell>', 'auto, native, tmux or stdout')
    .action(
      async (
        name: string,
        pane: string | undefined,
        options: Omit<JoinOptions, 'name' | 'pane'> & { json?: boolean },
      ) => {
        const { session, watcher } = await run({ ...options, name, ...(pane === undefined ? {} : { pane }) }, ports)
        const unread = unreadCount(ports.bus().home, session.name)
        if (options.json) return ports.print(`${JSON.stringify({ ...session, watcher, unread })}\n`)
        const where = session.pane === null ? '' : ` in pane ${session.pane}`
        // Nothing tells a command of a session like this who it is; the one that reads may be the human.
        const lone = session.pane === null && session.agent === null
        const read = `agent-chat inbox${lone ? ` ${session.name}` : ''}`
        const waiting = unread === 0 ? '' : `; ${plural(unread, 'unread message')}, read with: ${read}`
        ports.print(`joined as @${session.name}${where}${waiting}\n`)
        if (lone && options.watch !== false && session.doorbell !== 'stdout')
          ports.say(`agent-chat: no tmux pane and no Claude Code is here, so nothing rings it; look with: ${read}`)
      },
    )
}

/** Registers the session that runs this command, or the one in the pane that was named. */
export async function runJoin(options: JoinOptions, ports: RunPorts): Promise<Joined> {
  const name = parseSessionName(options.name)
  const doorbell = parseDoorbell(options.doorbell ?? ports.env.AGENT_CHAT_DOORBELL)
  const bus = ports.bus()
  const here = paneOf(ports.env)
  const pane = options.pane === undefined ? here : await resolvePane(options.pane, ports)
  const agent = await findAgent(pane, here, ports)
  const watch = options.watch !== false && pane !== undefined && needsWatcher({ doorbell })
  const native = agent?.pid === Number(ports.env.CLAUDE_PID)
  const joined = await join(
    { name, pane, agent, native, doorbell, cwd: ports.cwd, force: options.force === true, watch },
    {
      bus,
      tmux: ports.tmux,
      warn: (text) => ports.say(`agent-chat: ${text}`),
      startWatcher: (who) => spawnWatcher(who, ports),
    },
  )
  if (native) tellAgent(bus.home, agent.pid)
  return joined
}

/** Starts the detached watcher of a session that is registered. */
export function spawnWatcher(name: string, ports: Pick<Ports, 'self' | 'env' | 'bus'>): number | undefined {
  // A step at which a test ends this process is not meant for the watcher.
  const { AGENT_CHAT_FAULT: _, ...callers } = ports.env
  const { root } = ports.bus().home
  const env = { ...callers, AGENT_CHAT_HOME: root }
  return spawnDetached([ports.self.node, ports.self.script, 'watch', name], env, root)
}

/** The agent's process: Claude Code names itself; else what runs this command in its pane, or stands in front in a pane that was named. */
async function findAgent(
  pane: PaneAddress | undefined,
  here: PaneAddress | undefined,
  ports: RunPorts,
): Promise<ProcessRef | undefined> {
  const { processes } = ports.bus()
  const self = processes.self()
  const own = pane === undefined || (pane.pane === here?.pane && pane.socket === here.socket)
  const claude = Number(ports.env.CLAUDE_PID)
  const above = own && isBelow(processes, self.pid, claude) ? processes.find(claude) : undefined
  if (above) return { pid: above.pid, started: above.started }
  if (pane === undefined) return undefined
  const { stdout } = await ports.tmux.run(['display-message', '-p', '-t', pane.pane, '#{pane_pid}'], pane.socket)
  const panePid = Number(stdout)
  if (!Number.isSafeInteger(panePid) || panePid <= 0) return undefined
  return own ? agentAbove(processes, self.pid, panePid) : agentInFront(processes, panePid)
}
