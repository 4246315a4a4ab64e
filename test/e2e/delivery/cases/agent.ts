import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RUNTIME } from '../../../../scripts/runtime.mjs'
import type { Pane } from '../../harness/pane.ts'
import { eventually } from '../../harness/poll.ts'
import type { Case } from '../cases.ts'
import type { Round } from '../round.ts'
import { CLAUDE_ARGS, type Stage } from '../stage.ts'
import { heldBack, startWork } from './plain.ts'

const BOTH = ['native', 'tmux'] as const

/** The agent, its pane or its watcher ends, begins anew, or changes its name. */
export const agentCases: readonly Case[] = [
  {
    name: 'the agent ended, a shell in the pane',
    doorbells: BOTH,
    start: inShell,
    run: ended,
    fresh: true,
  },
  {
    name: 'agent and launcher killed, a shell in the pane',
    doorbells: BOTH,
    start: inShell,
    run: shot,
    fresh: true,
  },
  {
    name: 'suspended to the shell',
    doorbells: ['tmux'],
    start: inShell,
    run: suspended,
    from: 'fg',
  },
  { name: '/clear', doorbells: BOTH, run: cleared },
  { name: '--resume', doorbells: BOTH, run: resumed },
  { name: 'the tmux session renamed', doorbells: BOTH, run: renamed },
  {
    name: 'agent killed with -9, then restarted',
    doorbells: BOTH,
    run: killed,
    from: 'the new start',
  },
  {
    name: 'watcher killed with -9',
    doorbells: ['auto', 'tmux'],
    run: watcherKilled,
    from: 'tmux: the new watcher',
  },
]

/** A shell in a pane, and the launcher started from it. */
async function inShell(stage: Stage): Promise<void> {
  const { world, env } = stage
  const pane = await world.tmux.newSession({
    env: { ...env, PS1: 'dev$ ' },
    cwd: world.cwd,
    name: 'dev',
  })
  await pane.waitFor(/dev\$/)
  await launchFrom(pane, stage)
}

async function launchFrom(pane: Pane, stage: Stage): Promise<void> {
  const script = join(stage.world.dir, 'start.sh')
  const words = [RUNTIME, join(stage.plugin.root, 'dist/main.js'), 'frontend', '--', ...CLAUDE_ARGS]
  // tmux gives a new pane the PATH of its client, whatever the session's own says.
  await writeFile(
    script,
    `PATH='${stage.env.PATH}' exec ${words.map((word) => `'${word}'`).join(' ')}\n`,
  )
  await pane.submit(`sh ${script}`)
  await eventually('the session', async () => (await stage.state())?.activity === 'idle', {
    timeoutMs: 40_000,
  })
  await pane.waitFor(/manual mode on|-- INSERT --/)
}

/** The agent ends while a ring waits for its box to be empty. */
async function ended(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await pane.type('/exit')
  await pane.waitFor(/❯\s\/exit/)
  if (stage.choice === 'tmux') {
    await heldBack(stage, await round.send(), /holds text/)
    await pane.key('Enter')
  } else {
    // The last moment at which the session is there to be written to.
    await Promise.all([round.send().catch(() => undefined), pane.key('Enter')])
  }
  await shellAndBack(round, pane)
}

/** The agent and its launcher are killed while a ring waits. */
async function shot(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await startWork(stage, `go-${round.n}`)
  await round.send()
  if (stage.choice === 'tmux') await stage.waits(/busy/)
  const agent = await stage.agentPid()
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(agent)])
  for (const pid of [Number(stdout), agent]) process.kill(pid, 'SIGKILL')
  await shellAndBack(round, pane)
}

/** Nothing may be typed until the agent is back; then what is unread rings. */
async function shellAndBack(round: Round, pane: Pane): Promise<void> {
  const { stage } = round
  // What the dead agent drew may still stand there.
  const left = await pane.waitFor((screen) => /dev\$(?! sh )/.test(screen))
  round.unharmed(!left.includes('not found'), `the shell was given a command: ${left}`)
  await pane.submit('clear')
  await pane.waitFor((screen) => /^dev\$$/.test(screen.trim()))
  // With its watcher gone, nothing is left that could still type. Without one, nobody was left to
  // take the session out.
  const gone = async () => !(await stage.registered()) || /gone/.test(await stage.chat(['who']))
  await eventually('the session to be gone', gone)
  await eventually(
    'the watcher to end',
    () => !existsSync(join(stage.world.chat, 'pids', '@watcher.pid')),
  )
  const screen = await pane.screen()
  round.unharmed(/^dev\$$/.test(screen.trim()), `something was typed into the shell: ${screen}`)
  round.mayRingAgain()
  round.free()
  await launchFrom(pane, stage)
}

async function suspended(round: Round): Promise<void> {
  const { stage } = round
  const pane = await stage.pane()
  await pane.key('C-z')
  await pane.waitFor((screen) => /dev\$ *\s*$/.test(screen))
  await heldBack(stage, await round.send(), /front|shell/)
  round.unharmed(/dev\$ *\s*$/.test(await pane.screen()), 'something was typed into the shell')
  await pane.submit('fg')
  await pane.waitFor(/manual mode on/)
  round.free()
}

async function cleared(round: Round): Promise<void> {
  const { stage } = round
  const before = (await stage.state())?.session_id
  const pane = await stage.pane()
  await pane.submit('/clear')
  await eventually('a new conversation', async () => (await stage.state())?.session_id !== before)
  await stage.idle()
  await pane.waitFor(/manual mode on/)
  await round.send()
}

async function resumed(round: Round): Promise<void> {
  const { stage } = round
  if (round.n === 1) {
    await (await stage.pane()).submit('hello')
    await eventually('a turn', () => stage.requests().length > 0)
    await stage.idle()
  }
  const id = String((await stage.state())?.session_id)
  await (await stage.pane()).submit('/exit')
  await sessionEnded(stage)
  await stage.launch('frontend', ['--resume', id])
  round.unharmed((await stage.state())?.session_id === id, 'the conversation is another one')
  await round.send()
}

async function renamed(round: Round): Promise<void> {
  const { stage, n } = round
  const from = n === 1 ? 'ac-frontend' : `other-${n - 1}`
  await stage.world.tmux.tmux('rename-session', '-t', `=${from}`, `other-${n}`)
  await round.send()
}

async function killed(round: Round): Promise<void> {
  const { stage, n } = round
  await startWork(stage, `go-${n}`)
  await round.send()
  if (stage.choice === 'tmux') await stage.waits(/busy/)
  process.kill(await stage.agentPid(), 'SIGKILL')
  await sessionEnded(stage)
  round.mayRingAgain()
  round.free()
  await stage.launch()
}

/**
 * Without a watcher the native bell rings all the same, and `who` says so; the next command starts
 * a new one.
 */
async function watcherKilled(round: Round): Promise<void> {
  const { stage } = round
  const pidFile = join(stage.world.chat, 'pids', '@watcher.pid')
  process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL')
  await eventually('who to say so', async () => (await stage.chat(['who'])).includes('no watcher'))
  // Whoever sends brings it back.
  if (stage.choice === 'tmux') round.free()
  await round.send()
  await eventually('the ring', () => round.rings().length > 0)
  const pane = (await stage.pane()).id
  const agent = await stage.agentPid()
  await stage.chat(['join', 'frontend', pane], { TMUX: `${stage.world.tmux.socket},0,0` })
  round.unharmed(
    (await stage.agentPid()) === agent,
    'joining again took another process for the agent',
  )
}

/** The launcher's tmux session is gone, and the session has left. */
async function sessionEnded(stage: Stage): Promise<void> {
  const gone = () =>
    stage.world.tmux.tmux('has-session', '-t', '=ac-frontend').then(
      () => false,
      () => true,
    )
  await eventually('the tmux session to end', gone)
  await eventually('the session to leave', async () => !(await stage.registered()))
}
