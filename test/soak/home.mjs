import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** So many sessions have the tmux doorbell, and a `cat` in a pane in place of an agent; all others have the doorbell `stdout`. */
const IN_PANES = 3

/**
 * A home with so many sessions, and what they live in. `close` ends all of that.
 * @typedef {{ root: string, names: string[], env: NodeJS.ProcessEnv, close: () => void }} SoakHome
 * @param {string} directory
 * @param {number} count
 * @returns {SoakHome}
 */
export function makeHome(directory, count) {
  const root = join(directory, 'home')
  const socket = join(directory, 'tmux.sock')
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    AGENT_CHAT_HOME: root,
    AGENT_CHAT_GATE: 'off',
  }
  const names = Array.from(
    { length: count },
    (_, at) => `session-${String(at + 1).padStart(2, '0')}`,
  )
  const agents = names.slice(IN_PANES).map(() => spawn('sleep', ['86400'], { stdio: 'ignore' }))
  const panes = names.slice(0, IN_PANES).map((name) => openPane(socket, name, env))
  const sessions = names.map((name, at) => [
    name,
    {
      name,
      native: false,
      cwd: '/',
      joined_at: new Date().toISOString(),
      ...(panes[at] ?? agentOf(agents[at - IN_PANES]?.pid)),
    },
  ])
  mkdirSync(root, { mode: 0o700 })
  for (const name of names)
    mkdirSync(join(root, 'inbox', name, 'read'), { recursive: true, mode: 0o700 })
  writeFileSync(join(root, 'sessions.json'), JSON.stringify(Object.fromEntries(sessions)), {
    mode: 0o600,
  })
  return {
    root,
    names,
    env,
    close: () => {
      for (const agent of agents) agent.kill()
      execFileSync('tmux', ['-S', socket, 'kill-server'], { env, stdio: 'ignore' })
    },
  }
}

/** @param {string} socket @param {string} name @param {NodeJS.ProcessEnv} env */
function openPane(socket, name, env) {
  const size = ['-x', '160', '-y', '40']
  const format = '#{pane_id} #{pane_pid}'
  const argv = [
    '-S',
    socket,
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-P',
    '-F',
    format,
    '-s',
    name,
    ...size,
    'exec cat',
  ]
  const [pane = '', pid = ''] = execFileSync('tmux', argv, { env, encoding: 'utf8' })
    .trim()
    .split(' ')
  return { pane, tmux_socket: socket, doorbell: 'tmux', agent: agentOf(Number(pid)).agent }
}

/** A process as the registry names it: its id, and its start. @param {number | undefined} pid */
function agentOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return {
    agent: { pid, started: `${boot}-${start}` },
    pane: null,
    tmux_socket: null,
    doorbell: 'stdout',
  }
}
