import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { shortId } from '../message/shortId.ts'
import { readState } from '../session/stateFile.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'
import { startAsk } from '../testing/asks.ts'
import { until } from '../testing/until.ts'

const SILENT = { code: 0, stdout: '', stderr: '' }
const OVERLOADED = {
  hook_event_name: 'StopFailure',
  error: 'server_error',
  last_assistant_message: 'API Error: 529 Overloaded',
}
const SAID = /its last turn failed (just now|\d+ seconds? ago): 529 Overloaded/

/** Two sessions with hooks; `backend` writes to `frontend`. */
async function pair() {
  const { bus, agents } = await agentsOn('backend', 'frontend')
  const [backend, frontend] = agents as [TestAgent, TestAgent]
  return { bus, backend, frontend }
}

const bell = (bus: Bus, agent: TestAgent) =>
  agent.hook('bell', { file_path: bus.home.ring(agent.name), event: 'change' })

/** A turn of the person's that ends so. */
async function turn(agent: TestAgent, end: Record<string, unknown>) {
  await agent.human()
  return ends(agent, end)
}

/** Both hooks of a turn's end run beside each other; gives what rings. */
async function ends(agent: TestAgent, end: Record<string, unknown>) {
  const [, ring] = await Promise.all([agent.hook('stop', end), agent.hook('stop-ring', end)])
  return ring
}

describe('a turn that failed', () => {
  test('keeps the bell silent, counts, and rings at once when one ends well', async () => {
    const { bus, backend, frontend } = await pair()
    await backend.chat('send', '@frontend', 'ready')
    expect((await bell(bus, frontend)).stderr).toBe('New message from @backend. Check inbox.\n')
    await frontend.human()
    await backend.chat('send', '@frontend', 'while it runs')
    expect(await ends(frontend, OVERLOADED)).toMatchObject(SILENT)
    expect(await turn(frontend, OVERLOADED)).toMatchObject(SILENT)
    await backend.chat('send', '@frontend', 'more')
    expect(await bell(bus, frontend)).toMatchObject(SILENT)
    expect(readState(bus.home, 'frontend')?.failed?.times).toBe(2)
    expect(await turn(frontend, { hook_event_name: 'Stop' })).toMatchObject({
      code: 2,
      stderr: '2 new messages from @backend. Check inbox.\n',
    })
    expect(readState(bus.home, 'frontend')?.failed).toBeUndefined()
    expect(await turn(frontend, { hook_event_name: 'Stop' })).toMatchObject(SILENT)
  })

  test('is told by send and show, until one ends well', async () => {
    const { backend, frontend } = await pair()
    const send = () => backend.chat('send', '@frontend', 'ready')
    const before = await send()
    expect(before.stderr).toBe('')
    const [, id = ''] = /^sent (\S+)/.exec(before.stdout) ?? []
    expect((await backend.chat('show', id)).stdout).not.toContain('failed')
    await turn(frontend, OVERLOADED)
    expect((await send()).stderr).toMatch(SAID)
    expect((await backend.chat('show', id)).stdout).toMatch(SAID)
    const shown = JSON.parse((await backend.chat('show', id, '--json')).stdout)
    expect(shown.failed).toEqual({ error: '529 Overloaded', at: expect.any(String), times: 1 })
    await frontend.chat('inbox')
    // What it has read is not waiting for it.
    expect((await backend.chat('show', id)).stdout).not.toContain('failed')
    await turn(frontend, { hook_event_name: 'Stop' })
    expect((await send()).stderr).toBe('')
  })

  test('is told to whoever asks, also one that fails while they wait', async () => {
    const { bus, backend, frontend } = await pair()
    const waiting = await startAsk(bus, 'backend', ['@frontend', 'which?'])
    expect(waiting.said()).not.toContain('failed')
    await bell(bus, frontend)
    await turn(frontend, OVERLOADED)
    await until('the failure', () => SAID.test(waiting.said()))
    expect(waiting.said()).not.toContain('finished its turn')
    await frontend.chat('reply', shortId(waiting.id), 'the second')
    expect((await waiting.ended).stdout).toContain('the second')
    await turn(frontend, OVERLOADED)
    const later = await startAsk(bus, 'backend', ['@frontend', 'and now?'])
    await until('the failure', () => SAID.test(later.said()))
    later.child.kill('SIGINT')
    await later.ended
    expect((await backend.chat('ask', '@frontend', 'so?', '--no-wait')).stderr).toMatch(SAID)
  })
})
