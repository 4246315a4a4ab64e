import { describe, expect, test } from 'vitest'
import { chainWorld } from '../../../test/fuzz/chains.ts'
import type { Message } from '../../message/message.ts'
import { allHeld, release } from './held.ts'

const PEERS = ['cc', 'dd', 'ee', 'ff', 'gg']

type World = ReturnType<typeof chainWorld>

const only = (messages: Message[] | undefined): Message => {
  const [message, ...others] = messages ?? []
  if (!message || others.length > 0) throw new Error(`not one message: ${messages?.length}`)
  return message
}

/** A question to a peer that answers at once; its answer is read in the same turn. */
async function consult({ say, rung, answer, inbox }: World, from: string, peer: string) {
  const asked = await say(from, peer, { kind: 'question' })
  if (asked !== 'rings') return asked
  const question = only(rung(peer)?.filter(({ kind }) => kind === 'question'))
  const answered = await answer(question)
  inbox(from)
  return answered
}

/** The human has @aa give @bb a task. */
async function tasked(...names: string[]) {
  const world = chainWorld('aa', 'bb', ...PEERS, ...names)
  world.human('aa')
  await world.say('aa', 'bb', { kind: 'task' })
  const task = only(world.rung('bb'))
  return { ...world, task }
}

describe('work that the human asked for once goes through', () => {
  test('the steps of a task, its follow-up, its report, and the next step', async () => {
    const world = await tasked()
    const { say, rung, answer, task, open } = world
    const fates = [await say('bb', 'aa', { answered: task, state: 'accepted' })]
    for (const peer of PEERS.slice(0, 4))
      fates.push(await say('bb', peer, { kind: 'question', idle: true }))
    for (const peer of PEERS.slice(0, 4)) fates.push(await answer(only(rung(peer))))
    rung('bb')
    fates.push(await say('bb', 'cc', { kind: 'question' }), await answer(only(rung('cc'))))
    rung('bb')
    fates.push(await answer(task))
    rung('aa')
    fates.push(await say('aa', 'bb', { kind: 'task' }))
    rung('bb')
    fates.push(await answer(only(open('bb'))))
    expect(fates).toEqual(Array(14).fill('rings'))
  })

  test.each([
    ['in one turn, one after the other', true],
    ['each answer in a turn of its own', false],
  ])('five consulted, a follow-up each, and a report: %s', async (_, waits) => {
    const world = await tasked()
    const fates: string[] = []
    const ask = async (peer: string) => {
      if (waits) return consult(world, 'bb', peer)
      if ((await world.say('bb', peer, { kind: 'question' })) !== 'rings') return 'held'
      const fate = await world.answer(only(world.rung(peer)))
      world.rung('bb')
      return fate
    }
    for (const peer of PEERS) fates.push(await ask(peer), await ask(peer))
    expect(await world.answer(world.task)).toBe('rings')
    expect(fates).toEqual(Array(10).fill('rings'))
  })

  test('first all, then a follow-up each', async () => {
    const world = await tasked()
    const { say, rung, answer, task } = world
    for (const _ of ['asked', 'asked again']) {
      for (const peer of PEERS) expect(await say('bb', peer, { kind: 'question' })).toBe('rings')
      for (const peer of PEERS) {
        expect(await answer(only(rung(peer)))).toBe('rings')
        rung('bb')
      }
    }
    expect(await answer(task)).toBe('rings')
  })

  test.each(['note', 'question', 'task'])('after a %s of the human’s', async (kind) => {
    const world = chainWorld('aa', ...PEERS)
    await world.say('human', 'aa', { kind })
    world.rung('aa')
    for (const peer of PEERS)
      expect([await consult(world, 'aa', peer), await consult(world, 'aa', peer)]).toEqual([
        ...['rings', 'rings'],
      ])
  })

  test('after the human’s own prompt, in the turns that the answers begin', async () => {
    const { human, say, rung, answer } = chainWorld('aa', ...PEERS)
    human('aa')
    for (const peer of [...PEERS, ...PEERS]) {
      expect(await say('aa', peer, { kind: 'question' })).toBe('rings')
      expect(await answer(only(rung(peer)))).toBe('rings')
      rung('aa')
    }
  })
})

describe('a free message', () => {
  test('carries the asker’s hops, and how deep its path was', async () => {
    const world = await tasked()
    await consult(world, 'bb', 'cc')
    await consult(world, 'bb', 'cc')
    await world.answer(world.task)
    const [task, , , , , report] = world.sent.map(({ message }) => message)
    expect(task).toMatchObject({ hops: 0, extra: {} })
    expect(world.sent.map(({ message: { hops, extra } }) => [hops, extra.depth])).toEqual([
      ...[
        [0, undefined],
        [1, undefined],
        [1, '1'],
        [2, undefined],
        [2, '2'],
      ],
      [0, '2'],
    ])
    expect(report?.extra).toMatchObject({ task_state: 'done' })
    world.rung('aa')
    await world.say('aa', 'bb')
    expect(world.sent.at(-1)?.message.hops).toBe(3)
  })

  test('is the first answer to a question, and the one end of a task; not a second, not a note, not to another', async () => {
    const world = await tasked()
    const { say, answer, rung, task } = world
    const depth = () => world.sent.at(-1)?.message.extra.depth
    const free = async (fate: Promise<unknown>) => {
      await fate
      return depth() !== undefined
    }
    const note = { answered: task, state: 'accepted' }
    expect(await free(say('bb', 'aa', note))).toBe(false)
    expect(await free(say('bb', 'aa', { kind: 'reply', answered: task }))).toBe(false)
    expect(await free(say('bb', 'cc', { kind: 'reply', answered: task }))).toBe(false)
    expect(await free(say('bb', 'aa', { kind: 'result', answered: task, state: 'failed' }))).toBe(
      true,
    )
    expect(await free(answer(task))).toBe(false)
    await say('bb', 'dd', { kind: 'question' })
    const question = only(rung('dd'))
    const back = { kind: 'question', answered: question }
    expect(await free(say('dd', 'bb', back))).toBe(false)
    expect(await free(answer(question))).toBe(true)
    expect(await free(answer(question))).toBe(false)
  })

  test('is never refused because something earlier was held', async () => {
    const world = await tasked()
    const { say, rung, inbox, answer, task } = world
    for (const [from, to] of [
      ['bb', 'cc'],
      ['cc', 'bb'],
      ['bb', 'cc'],
      ['cc', 'bb'],
    ] as const) {
      await say(from, to)
      rung(to)
    }
    expect(world.sent.at(-1)?.fate).toBe('held')
    inbox('bb')
    expect(await say('bb', 'cc')).toBe('refused')
    expect(await answer(task)).toBe('rings')
  })

  test('two answers that are sent at once are not both free', async () => {
    const world = await tasked()
    await Promise.all([world.answer(world.task), world.answer(world.task)])
    const free = world.sent.filter(({ message }) => message.extra.depth !== undefined)
    expect(free).toHaveLength(1)
  })

  test('counts among the 20 in ten minutes', async () => {
    const { bus, say, rung, answer } = chainWorld('aa', 'bb')
    const clock = bus.clock as typeof bus.clock & { set(ms: number): void }
    const start = clock.now()
    const fates: string[] = []
    for (let one = 0; one < 21; one += 1) {
      await say('human', 'aa', { kind: 'task' })
      clock.set(start + one * 2000)
      fates.push(await answer(only(rung('aa'))))
      clock.set(start + one * 2000)
    }
    expect(new Set(fates)).toEqual(new Set(['rings', 'quiet']))
    expect(fates.indexOf('quiet')).toBe(20)
  })
})

test('what the human lets go on begins anew, also for one that had read deeper messages before', async () => {
  const { bus, sent, human, say, rung } = chainWorld('aa', 'bb')
  human('aa')
  await say('aa', 'bb')
  const go = async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const name = ['aa', 'bb'].find((one) => rung(one) !== undefined)
      if (name === undefined) return
      await say(name, name === 'aa' ? 'bb' : 'aa')
    }
  }
  await go()
  expect(sent.map(({ message }) => message.hops)).toEqual([0, 1, 2, 3, 4])
  release(bus, allHeld(bus))
  await go()
  expect(sent.map(({ message }) => message.hops)).toEqual([0, 1, 2, 3, 4, 1, 2, 3, 4])
})
