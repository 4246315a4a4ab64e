import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shortId } from '../../src/message/shortId.ts'
import { heardRings, shownIds } from './delivery/heard.ts'
import { copyPlugin, type PluginCopy } from './delivery/plugin.ts'
import { account, createStage } from './delivery/stage.ts'
import { eventually } from './harness/poll.ts'

let plugin: PluginCopy
beforeAll(async () => {
  plugin = await copyPlugin(join(import.meta.dirname, '..', '..'))
})
afterAll(() => plugin.remove())

test.each(['native', 'tmux'] as const)(
  'a session that is renamed at work is rung under both of its names, once for each message (%s)',
  async (doorbell) => {
    const stage = await createStage(plugin, doorbell)
    onTestFinished(() => stage.close())
    await stage.launch('frontend')
    await stage.settled()
    expect(await stage.chat(['rename', 'frontend', 'payments'])).toBe(
      '@frontend is @payments now\n',
    )
    const sent: string[] = []
    for (const [count, to] of ['payments', 'frontend', 'payments'].entries()) {
      const words = ['send', `@${to}`, `number ${count}`, '--as', 'backend', '--json']
      const message = JSON.parse(await stage.chat(words))
      expect(message).toMatchObject({ to: 'payments' })
      sent.push(message.id)
      const read = async () => (await stage.events('read')).length > count
      await eventually(`message ${count} to be read`, read, {
        timeoutMs: 40_000,
        state: () => account(stage),
      })
      await stage.idle('payments')
    }
    expect([...shownIds(stage.requests())]).toEqual(sent.map((id) => shortId(id)))
    expect(heardRings(stage.requests()).map(({ text }) => text)).toEqual(
      sent.map(() => 'New message from @backend. Check inbox.'),
    )
    const rung = await stage.events('rung')
    expect(rung.map(({ to, ids, doorbell: by }) => [to, ids, by])).toEqual(
      sent.map((id) => ['payments', [id], doorbell]),
    )
    // What the agent itself runs goes by the new name, though its environment still has the old
    // one.
    const pane = await stage.pane('payments')
    await pane.submit('pass it on to @human')
    const passed = async () =>
      (await stage.events('sent')).some(({ from, to }) => from === 'payments' && to === 'human')
    await eventually('a message under the new name', passed, {
      timeoutMs: 40_000,
      state: () => account(stage),
    })
  },
)
