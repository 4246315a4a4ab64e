import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { putMark } from '../bus/mail/marks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { openHead } from '../console/head.ts'
import { emptyRoom } from '../console/model/room.ts'
import { peopleOf } from '../console/people.ts'
import { openStore } from '../console/store.ts'
import { openWaiting } from '../console/waiting.ts'
import { escalationBody, escalationFields } from '../message/escalation.ts'
import { lineNow } from '../session/needsLine.ts'
import { sessionsNow } from '../session/sessionRows.ts'
import type { ProcessRef } from '../system/processes.ts'
import { systemTmux } from '../system/tmux.ts'
import { runCli } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { nowOf } from '../web/now.ts'
import { lineKeeper } from './line.ts'
import type { Need } from './need.ts'
import { roomNow } from './panel.ts'

const REASONS = ['permission', 'question', 'decision', 'question', 'held']

/**
 * A home in which backend is at a dialog, frontend's turn ended with a question, both have asked
 * you, and messages of one chain are held.
 */
function home(): Bus {
  const bus = tempBus(['backend', 'frontend'])
  const agent = other(bus)
  const at = new Date().toISOString()
  const session = (name: string) => ({ name, pane: null, joined_at: at, agent })
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ backend: session('backend'), frontend: session('frontend') }),
  )
  mkdirSync(bus.home.states, { recursive: true })
  const state = { since: at, session_id: null, agent, native: true, vim: false, gate: 'enforce' }
  const question = { text: 'Shall I go ahead?', at }
  writeFileSync(bus.home.state('backend'), JSON.stringify({ ...state, activity: 'asking' }))
  writeFileSync(
    bus.home.state('frontend'),
    JSON.stringify({ ...state, activity: 'idle', question }),
  )
  const ask = { to: 'human', kind: 'question' as const }
  const options = ['drop it', 'keep it']
  sendMessage(bus, { ...ask, from: 'frontend', body: 'Which port?' })
  sendMessage(bus, {
    ...{ ...ask, from: 'backend', body: escalationBody({ question: 'Drop it?', options }) },
    extra: escalationFields(3, options),
  })
  for (const body of ['one', 'two']) {
    const { message } = sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
    const chain = '20261121T033912.123456Z-from-human'
    const mark = { ring: 'held', why: 'too many', chain, at: message.timestamp }
    putMark(bus.home, 'frontend', message.id, mark as never)
  }
  return bus
}

/** A process that is above none of those that look: the person looks, and no agent. */
function other({ processes }: Bus): ProcessRef {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill())
  const { pid, started } = processes.find(child.pid ?? 0) as ProcessRef
  return { pid, started }
}

const portsOn = (bus: Bus, env: Record<string, string> = {}) => ({
  ...{ env, bus: () => bus, tmux: systemTmux(() => '') },
})

async function inConsole(bus: Bus): Promise<readonly Need[]> {
  const display = { changed: () => {}, added: () => {}, bell: () => {} }
  const store = openStore(emptyRoom(), display, bus.clock.now)
  const fail = (error: unknown) => {
    throw error
  }
  const head = openHead(portsOn(bus), store, openWaiting(bus), fail)
  onTestFinished(head.close)
  head.people()
  await until('the list', () => store.room().needs.length > 0)
  return store.room().needs
}

test('every surface says that a session has finished, by one word, and that it needs nobody', async () => {
  const bus = home()
  const { agent } = JSON.parse(readFileSync(bus.home.state('frontend'), 'utf8'))
  const at = new Date(Date.now() - 3 * 60_000).toISOString()
  const state = { activity: 'idle', since: at, session_id: null, agent, native: true, vim: false }
  writeFileSync(bus.home.state('frontend'), JSON.stringify({ ...state, gate: 'enforce', well: at }))
  writeFileSync(bus.home.state('backend'), JSON.stringify({ ...state, gate: 'enforce' }))

  const words = [
    ['frontend', 'finished'],
    ['backend', 'idle'],
  ]
  for (const args of [[], ['who'], ['status']]) {
    const { stdout } = await runCli(args, { home: bus.home.root })
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/@frontend .*finished 3 minutes ago/)
    expect(stdout).not.toContain('asks permission')
  }
  const { sessions } = JSON.parse((await runCli(['--json'], { home: bus.home.root })).stdout)
  expect(sessions).toMatchObject([{ state: 'idle' }, { state: 'idle', finished_at: at }])
  expect(sessions[0].finished_at).toBeUndefined()
  const people = peopleOf(await sessionsNow(portsOn(bus)), portsOn(bus))
  const tokens = { of: () => null } as never
  const web = await nowOf(portsOn(bus) as never, null, tokens, () => [], undefined)
  for (const shown of [people, web.people])
    expect(
      shown
        .map(({ name, state: word }) => [name, word])
        .sort()
        .reverse(),
    ).toEqual(words)
  expect(web.needs.filter((need) => 'name' in need)).toEqual([])
})

test('every surface shows the one list, and counts by it', async () => {
  const bus = home()
  const root = { home: bus.home.root }
  const json = async (...args: string[]) => JSON.parse((await runCli(args, root)).stdout)
  const { needs_you } = await json('--json')
  expect(needs_you.map(({ reason }: { reason: string }) => reason)).toEqual(REASONS)
  expect((await json('who', '--json')).needs_you).toEqual(needs_you)
  for (const args of [[], ['who']])
    expect((await runCli(args, root)).stdout).toContain(`Needs you (${REASONS.length}):\n`)

  const list = await inConsole(bus)
  const panel = await roomNow(undefined, portsOn(bus, { AGENT_CHAT_NAME: 'frontend' }))
  const tokens = { of: () => null } as never
  const web = await nowOf(portsOn(bus) as never, null, tokens, () => [], undefined)
  expect(list).toHaveLength(REASONS.length)
  expect([panel.needs, web.needs]).toEqual([list, list])
  expect(panel.questions.map(({ id }) => id)).toEqual(
    list.flatMap((need) => ('id' in need ? [need.id] : [])),
  )
  await lineKeeper(portsOn(bus, { AGENT_CHAT_NOTIFY: 'off' }))(bus.processes.self())
  expect(lineNow(bus)).toBe(`${REASONS.length} need you · @backend asks permission`)
})
