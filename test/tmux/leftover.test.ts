import { expect, test } from 'vitest'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { tmuxDoorbell } from '../../src/doorbell/bells.ts'
import type { RingResult } from '../../src/doorbell/ringer.ts'
import { GAP_MS } from '../../src/doorbell/tmux.ts'
import { claimRing, unclaimRing } from '../../src/session/rings.ts'
import { systemTmux } from '../../src/system/tmux.ts'
import { until } from '../../src/testing/until.ts'
import { send, standIn, tmuxWorld } from './world.ts'

const LINE = '2 new messages from @backend, @docs. Check inbox.'

test('a draft that begins as a refused ring did is the person’s, and is not gone on with', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await world.run(['join', 'frontend', agent.pane.id, '--no-watch'])
  for (const from of ['backend', 'docs']) send(world, from, 'frontend')
  const { bus } = world
  const session = findSession(readSessions(bus.home), 'frontend')
  if (!session) throw new Error('@frontend has not joined')
  let once = false
  /** Between the text and its Enter a person types once. */
  const pause = async (ms: number) => {
    if (once || ms !== GAP_MS) return
    once = true
    await agent.pane.waitFor(/inbox\.$/m)
    await agent.pane.type(' x')
    await agent.pane.waitFor(/inbox\. x$/m)
  }
  const tmux = systemTmux(() => 'install tmux')
  const doorbell = tmuxDoorbell(bus, { tmux, processes: bus.processes, pause }, undefined)
  const ring = async (): Promise<RingResult> => {
    let ids: string[] = []
    const result = await doorbell.ring(session, () => {
      ids = claimRing(bus, 'frontend', 'tmux')
      return ids
    })
    if (result.kind === 'wait') unclaimRing(bus, 'frontend', ids)
    return result
  }
  const ringUntil = (what: string, done: (result: RingResult) => boolean) =>
    until(what, async () => done(await ring()))

  await ringUntil(
    'a ring that is refused at its Enter',
    (result) => result.kind === 'wait' && result.typed,
  )
  await agent.pane.key('C-u')
  // Keys that come in one piece are a paste to it.
  await agent.pane.waitFor(/^❯ *$/m)
  await agent.pane.type('2')
  await agent.pane.waitFor(/^❯ 2$/m)
  expect(await ring()).toMatchObject({ kind: 'wait', typed: false })
  expect(agent.pieces()).toEqual([`${LINE} x`, '\x15', '2'])
  await agent.pane.key('C-u')
  await ringUntil('the ring', ({ kind }) => kind === 'rung')
  await until('its Enter', () => agent.pieces().at(-1) === '\r')
  expect(agent.pieces()).toEqual([`${LINE} x`, '\x15', '2', '\x15', LINE, '\r'])
})
