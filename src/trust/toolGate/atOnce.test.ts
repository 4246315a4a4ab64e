import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agentsOn, type TestAgent } from '../../testing/agent.ts'
import { eventsOf, filesIn } from '../../testing/home.ts'
import { readLedger } from '../sendGate/ledger.ts'

async function pair() {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend, backend] = agents as [TestAgent, TestAgent]
  /**
   * @frontend runs these at once, as the commands of one pipe; gives how many of them ended well,
   * and the codes of the others.
   */
  const atOnce = async (count: number, ...args: string[]) => {
    const runs = await Promise.all(Array.from({ length: count }, () => frontend.chat(...args)))
    const codes = runs.map(({ code }) => code)
    return {
      sent: codes.filter((code) => code === 0).length,
      others: new Set(codes.filter((code) => code !== 0)),
    }
  }
  return { bus, frontend, backend, atOnce }
}

describe('of messages that are sent at once', () => {
  test('one is the clarifying question', async () => {
    const { backend, frontend, atOnce } = await pair()
    await backend.chat('send', '@frontend', 'please do it')
    await frontend.rung()
    expect(await atOnce(6, 'send', '@backend', '--question', 'which one?')).toEqual({
      sent: 1,
      others: new Set([3]),
    })
  })

  test('one is the answer to a question', async () => {
    const { backend, frontend, atOnce } = await pair()
    const id =
      (await backend.chat('send', '@frontend', '--question', 'is it so?')).stdout.split(' ')[1] ??
      ''
    await frontend.rung()
    expect(await atOnce(5, 'reply', id, 'it is')).toEqual({ sent: 1, others: new Set([3]) })
  })

  test('one follows the work that was done', async () => {
    const { backend, frontend, atOnce } = await pair()
    await backend.chat('send', '@frontend', 'please do it')
    await frontend.rung()
    await frontend.did('Read')
    expect(await atOnce(4, 'send', '@backend', 'done')).toEqual({ sent: 1, others: new Set([3]) })
  })

  test('no more than twenty ring', async () => {
    const { bus, frontend, atOnce } = await pair()
    await frontend.human()
    expect(await atOnce(26, 'send', '@backend', 'look')).toMatchObject({ sent: 26 })
    expect(eventsOf(bus.home, 'held')).toHaveLength(6)
  })
})

test('what could not be sent was not asked', async () => {
  const { bus, backend, frontend } = await pair()
  await backend.chat('send', '@frontend', 'please do it')
  await frontend.rung()
  rmSync(bus.home.inbox('backend'), { recursive: true })
  writeFileSync(bus.home.inbox('backend'), 'no directory')
  await frontend.human()
  const question = ['send', '@backend', '--question', 'which one?']
  expect(await frontend.chat(...question)).toMatchObject({ code: 1, stdout: '' })
  expect(readLedger(bus.home, 'frontend')).toMatchObject({ questions: {}, sent: [] })
  expect(filesIn(bus.home.messages)).toHaveLength(1)
})
