import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { preloading } from '../../scripts/runtime.mjs'
import { sendMessage } from '../bus/mail/send.ts'
import { noteReads, readReads } from '../session/reads.ts'
import { claimRing } from '../session/rings.ts'
import { readState } from '../session/stateFile.ts'
import { holderOf } from '../system/pidlock.ts'
import { agentsWith, type TestAgent } from '../testing/agent.ts'
import { type Run, runCli } from '../testing/cli.ts'
import { eventsOf, tempDirectory } from '../testing/home.ts'
import { runAsOwner } from '../testing/human.ts'
import { someMessage } from '../testing/message.ts'
import { isStopped } from '../testing/stopped.ts'
import { until } from '../testing/until.ts'
import { changeLedger, readLedger } from '../trust/sendGate/ledger.ts'

/** @frontend is at work, and @backend is registered. */
async function world() {
  const { bus, agents } = await agentsWith({}, 'frontend')
  const [frontend] = agents as [TestAgent]
  const sessions = JSON.parse(readFileSync(bus.home.sessions, 'utf8'))
  writeFileSync(bus.home.sessions, JSON.stringify({ ...sessions, backend: { name: 'backend' } }))
  return { bus, home: bus.home, frontend }
}

/**
 * What stops a process, once, as it begins to write a file anew: it has read the file, and holds
 * the lock.
 */
function stopAtWriteOf(path: string): Record<string, string> {
  const script = `${tempDirectory()}/stop.cjs`
  writeFileSync(
    script,
    `const fs = require('node:fs'); let stopped = false
const watch = (open) => (path, ...more) => {
  if (!stopped && String(path) === ${JSON.stringify(path)} + '.' + process.pid + '.tmp') { stopped = true; process.kill(process.pid, 'SIGSTOP') }
  return open(path, ...more)
}
for (const name of ['openSync', 'writeFileSync']) fs[name] = watch(fs[name])`,
  )
  return preloading(script)
}

/**
 * Runs a process that is stopped at that write, `meanwhile` without the lock that it holds, and
 * then the rest of the process.
 */
async function stopped(
  path: string,
  lock: string,
  start: (env: Record<string, string>) => Promise<Run>,
  meanwhile: () => unknown,
): Promise<Run> {
  const run = start(stopAtWriteOf(path))
  const pid = await until('the lock to be held', () => holderOf(lock)?.pid)
  await until('its holder to stop', () => isStopped(pid))
  await meanwhile()
  process.kill(pid, 'SIGCONT')
  return run
}

test('a hook that was stopped does not give a doorbell’s turn back to the human', async () => {
  const { home, frontend } = await world()
  await frontend.human()
  await frontend.hook('permission-request', { prompt_id: 'frontend-1' })
  const idle = { prompt_id: 'frontend-1', notification_type: 'idle_prompt' }
  const hook = (env: Record<string, string>) => frontend.hook('notification', idle, env)
  await stopped(home.state('frontend'), home.stateLock('frontend'), hook, async () => {
    await runCli(['send', '@frontend', 'do it', '--as', 'backend'], { home: home.root })
    await frontend.rung()
  })
  expect(readState(home, 'frontend')).toMatchObject({
    activity: 'idle',
    turn: { began: 'doorbell' },
  })
  expect(await frontend.may('Bash', { command: 'rm x' })).toBe('ask')
})

test('a hook that was stopped as it opened a turn tells of no approval where the human has opened it meanwhile', async () => {
  const { home, frontend } = await world()
  await runCli(['send', '@frontend', 'do it', '--as', 'backend'], { home: home.root })
  await frontend.rung()
  expect(await frontend.may('Bash', { command: 'rm x' }, { tool_use_id: 'asked' })).toBe('ask')
  const ran = {
    prompt_id: 'frontend-1',
    tool_name: 'Bash',
    tool_input: { command: 'rm x' },
    tool_use_id: 'asked',
  }
  const hook = (env: Record<string, string>) => frontend.hook('post-tool-use', ran, env)
  await stopped(home.state('frontend'), home.stateLock('frontend'), hook, () => frontend.human())
  expect(readState(home, 'frontend')?.turn).toMatchObject({ began: 'human' })
  expect(eventsOf(home, 'approved')).toEqual([])
})

test('a bell that was stopped as it claimed its ring does not ring for what another has claimed', async () => {
  const { bus, home, frontend } = await world()
  const { message } = sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x' })
  const bell = (env: Record<string, string>) =>
    frontend.hook('bell', { file_path: home.ring('frontend') }, env)
  const run = await stopped(home.rings('frontend'), home.ringsLock('frontend'), bell, () =>
    expect(claimRing(bus, 'frontend', 'tmux')).toEqual([message.id]),
  )
  expect(run).toMatchObject({ code: 0, stderr: '' })
})

test('an approval that was stopped keeps what the gate has noted meanwhile', async () => {
  const { bus, home } = await world()
  const approve = (env: Record<string, string>) =>
    runAsOwner(['approve', '@backend', '--name', 'frontend'], { home: home.root, env })
  const run = await stopped(home.gate('frontend'), home.gateLock('frontend'), approve, () =>
    changeLedger(bus, 'frontend', (ledger) => ({
      ...ledger,
      questions: { docs: { id: 'q', at: 'now' } },
    })),
  )
  expect(run.code).toBe(0)
  expect(readLedger(home, 'frontend')).toMatchObject({
    approvals: { backend: { left: 1 } },
    questions: { docs: {} },
  })
})

test('a reader that was stopped keeps what another has read meanwhile', async () => {
  const { bus, home, frontend } = await world()
  const { message } = sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x' })
  const other = someMessage({ id: '20261121T033912.123456Z-from-docs', from: 'docs' })
  const inbox = (env: Record<string, string>) =>
    runCli(['inbox'], { home: home.root, env: { AGENT_CHAT_NAME: frontend.name, ...env } })
  await stopped(home.reads('frontend'), `${home.reads('frontend')}.lock`, inbox, () =>
    noteReads(bus, 'frontend', [{ message: other, approved: false }]),
  )
  expect(readReads(home, 'frontend').map(({ id }) => id)).toEqual([other.id, message.id])
})
