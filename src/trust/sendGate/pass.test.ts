import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../bus/mail/draft.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { isCoded } from '../../errors.ts'
import type { Message } from '../../message/message.ts'
import type { SessionState } from '../../session/state.ts'
import type { Turn } from '../../session/turn.ts'
import { eventsOf, tempBus } from '../../testing/home.ts'
import { someMessage } from '../../testing/message.ts'
import { allHeld, release } from './held.ts'
import type { Judged, SendRequest } from './judge.ts'
import { changeLedger, readLedger } from './ledger.ts'
import { passThrough } from './pass.ts'
import { noteShown } from './shown.ts'

const NOW = () => new Date().toISOString()

/** @frontend's turn, which a doorbell began, as its state file has it. */
function world(fields: Partial<Turn> = {}) {
  const bus = tempBus(['frontend', 'backend'])
  const at = NOW()
  const turn: Turn = {
    id: 'one',
    began: 'doorbell',
    at,
    opened: null,
    chain: null,
    work: 0,
    asked: [],
    ...fields,
  }
  const state: SessionState = {
    ...{
      activity: 'busy',
      since: at,
      session_id: 's',
      agent: bus.processes.self(),
      native: true,
      vim: false,
    },
    ...{ gate: 'enforce', turn },
  }
  /**
   * What hooks tell of @frontend; told again, work is done again, and what a message took is there
   * for the next.
   */
  const told = (more: Partial<SessionState> = {}) =>
    writeFileSync(bus.home.state('frontend'), JSON.stringify({ ...state, ...more }))
  told()
  const untold = () => rmSync(bus.home.state('frontend'))
  const stored = () => JSON.parse(readFileSync(bus.home.state('frontend'), 'utf8')) as SessionState
  /**
   * Takes a message through the gate. `sending` is done while it is sent. Gives what it may do, and
   * what was told.
   */
  const pass = async (
    more: Partial<SendRequest> = {},
    sending: () => unknown = () => {},
  ): Promise<Judged & { told: string[] }> => {
    const notices: string[] = []
    const ports = { env: {}, bus: () => bus, notice: (text: string) => notices.push(text) }
    const message = { from: 'frontend', to: 'backend', kind: 'reply', body: 'it has no tests' }
    const { judged } = await passThrough(ports, { ...message, ...more }, async (judged) => {
      await sending()
      return { message: someMessage({ id: 'sent' }), judged }
    })
    return { ...judged, told: notices }
  }
  const read = (message: Message) => noteShown(bus, 'frontend', [message])
  const send = (draft: Partial<Draft>) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'x', ...draft }).message
  /** Whether @frontend may send this, and by which rule; what passes is sent. */
  const tries = async (answered: Message, kind = 'reply', to = 'backend') => {
    const passed = await pass({ answered, to, kind }, () =>
      send({ from: 'frontend', to, kind, inReplyTo: answered }),
    ).catch(() => 'refused' as const)
    return passed === 'refused' ? passed : passed.verdict.rule
  }
  return { bus, told, untold, pass, read, stored, send, tries }
}

const coded = (error: unknown) => (isCoded(error, 'GATE_REFUSED') ? error.message : error)

describe('passing', () => {
  test('a refusal is thrown with its rule, and stands in the history with its reason', async () => {
    const { bus, pass, read } = world()
    read(someMessage())
    let sent = false
    const sending = () => {
      sent = true
    }
    await expect(pass({}, sending).catch(coded)).resolves.toMatch(
      /^blocked: reply only after doing some work/,
    )
    expect(sent).toBe(false)
    expect(eventsOf(bus.home, 'refused')).toMatchObject([
      { name: 'frontend', to: 'backend', rule: 'work gate' },
    ])
  })

  test('in warn it passes with a warning, and stands in the history', async () => {
    const { bus, pass, told } = world()
    told({ gate: 'warn' })
    expect(await pass()).toMatchObject({
      told: [expect.stringMatching(/^the gate would block this \(work gate: /)],
      ring: { ring: 'rings' },
    })
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ mode: 'warn' }])
  })

  test('the sender’s state is read once before the lock and once under it, and the second one counts', async () => {
    const { bus, told, pass, stored } = world({ began: 'human', chain: 'mine' })
    const { turn } = stored()
    const looks: string[] = []
    const { isAlive } = bus.processes
    // Whoever believes a state asks for the process that told it.
    bus.processes.isAlive = (ref) => {
      const locked = existsSync(bus.home.gateLock('frontend'))
      if (looks.push(locked ? 'under the lock' : 'before it') === 1 && turn)
        told({ turn: { ...turn, began: 'doorbell', chain: null } })
      return isAlive(ref)
    }
    expect(await pass().catch(coded)).toMatch(/^blocked: reply only/)
    expect(looks).toEqual(['before it', 'under the lock'])
  })

  test('the human always passes, and begins anew', async () => {
    const { pass } = world()
    const answered = someMessage({ hops: 4 })
    expect(await pass({ from: 'human', body: 'thanks', answered })).toMatchObject({
      lineage: { hops: 0 },
      ring: { ring: 'rings' },
      verdict: { rule: 'human' },
    })
  })

  test('the twenty-first message in ten minutes does not ring', async () => {
    const { bus, told, pass } = world({ work: 1 })
    const ringAfter = async (count: number) => {
      const sent = Array.from({ length: count }, () => Date.now() - 1000)
      changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, sent }))
      told()
      return (await pass()).ring.ring
    }
    expect([await ringAfter(19), await ringAfter(20)]).toEqual(['rings', 'held'])
  })

  test.each(['note', 'handover', 'question', 'reply', 'result'])(
    'no %s to the human is held: the twenty-first to them in ten minutes is quiet',
    async (kind) => {
      const { bus, told, pass, read } = world({ work: 1 })
      read(someMessage({ hops: 40 }))
      const ringAfter = async (toHuman: number, sent: number, to: string) => {
        const times = (count: number) => Array.from({ length: count }, () => Date.now() - 1000)
        changeLedger(bus, 'frontend', (ledger) => ({
          ...{ ...ledger, questions: {} },
          ...{ sent: times(sent), toHuman: times(toHuman) },
        }))
        told()
        return (await pass({ kind, to })).ring.ring
      }
      expect([
        await ringAfter(0, 19, 'human'),
        // What went to others says nothing of a decision.
        await ringAfter(0, 100, 'human'),
        await ringAfter(19, 19, 'human'),
        await ringAfter(20, 20, 'human'),
        await ringAfter(500, 500, 'human'),
      ]).toEqual(['rings', 'rings', 'rings', 'quiet', 'quiet'])
    },
  )

  test('only the human of this home is exempt, and what is to them counts towards the others', async () => {
    const { bus, told, pass } = world({ work: 1 })
    const times = Array.from({ length: 20 }, () => Date.now() - 1000)
    const ring = async (to: string) => {
      changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, sent: times, toHuman: [] }))
      told()
      return (await pass({ to })).ring.ring
    }
    expect([await ring('human'), await ring('human.b'), await ring('backend')]).toEqual([
      ...['rings', 'held', 'held'],
    ])
    for (const count of [0, 1]) {
      changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, sent: [], toHuman: [] }))
      for (let at = 0; at < 19 + count; at += 1) {
        told()
        await pass({ to: 'human' })
      }
      told()
      expect((await pass({ to: 'backend' })).ring.ring).toBe(count === 0 ? 'rings' : 'held')
    }
  })

  test('the human’s inbox is no way round: the path goes on through what is not proven theirs', async () => {
    const { pass, read } = world({ work: 1 })
    read(someMessage({ hops: 5 }))
    const asked = await pass({ to: 'human' })
    expect(asked).toMatchObject({ ring: { ring: 'rings' }, lineage: { hops: 6 } })
    // As `post()` sends what something says in the human's name: it goes on with the hops.
    const lineage = { chain: asked.lineage.chain, hops: asked.lineage.hops + 1 }
    expect(await pass({ from: 'human', to: 'backend', lineage })).toMatchObject({
      ring: { ring: 'held' },
    })
  })

  test('what was not sent is given back to both counts', async () => {
    const { bus, pass } = world({ work: 1 })
    const failing = pass({ to: 'human' }, () => {
      throw new Error('no disk')
    })
    await expect(failing).rejects.toThrow('no disk')
    expect(readLedger(bus.home, 'frontend')).toMatchObject({ sent: [], toHuman: [] })
  })

  test('thanks are quiet, unless they answer a question', async () => {
    const { told, pass, read } = world({ work: 1 })
    const question = someMessage({ kind: 'question', hops: 1 })
    read(question)
    const ring = async (more: Partial<SendRequest>) => {
      told()
      return (await pass({ body: 'Noted, ok.', ...more })).ring.ring
    }
    expect(await ring({})).toBe('quiet')
    expect(await ring({ answered: question })).toBe('rings')
    expect(await ring({ answered: { ...question, kind: 'note' } })).toBe('quiet')
  })
})

describe('an answer', () => {
  test('to a question passes once; the same question has no second one', async () => {
    const { read, send, tries } = world()
    const [one, two] = [send({ kind: 'question' }), send({ kind: 'question' })]
    read(one)
    read(two)
    expect([await tries(one), await tries(one), await tries(two), await tries(two)]).toEqual([
      ...['an answer', 'refused'],
      ...['an answer', 'refused'],
    ])
  })

  test('may be asked back for first', async () => {
    const { read, send, tries } = world()
    const question = send({ kind: 'question' })
    read(question)
    expect([
      await tries(question, 'question'),
      await tries(question),
      await tries(question),
    ]).toEqual([...['one question', 'an answer', 'refused']])
  })

  test('to a task passes when it is taken on and when it is ended', async () => {
    const { read, send, tries } = world()
    const task = send({ kind: 'task' })
    read(task)
    const words = [
      await tries(task, 'note'),
      await tries(task, 'question'),
      await tries(task, 'result'),
    ]
    expect([...words, await tries(task, 'result')]).toEqual([
      'an answer',
      'one question',
      'an answer',
      'refused',
    ])
  })

  test('is none to what no human wrote and asks for none, to another session, or to what another session was asked', async () => {
    const { read, send, tries } = world()
    const given = ['handover', 'note', 'reply', 'result', 'constructor'].map((kind) =>
      send({ kind }),
    )
    for (const message of given) read(message)
    expect(await Promise.all(given.map((message) => tries(message)))).toEqual(
      given.map(() => 'refused'),
    )
    const words = send({ from: 'human', kind: 'handover' })
    expect(await tries(words, 'reply', 'human')).toBe('an answer')
    const others = [
      send({ kind: 'question', from: 'docs' }),
      send({ kind: 'question', to: 'docs' }),
      words,
    ]
    expect(await Promise.all(others.map((message) => tries(message)))).toEqual(
      others.map(() => 'refused'),
    )
    expect(await tries(words, 'reply', 'human')).toBe('to the human')
  })

  test.each(['question', 'task'])(
    'to a %s carries its hops, once; one to what is itself held is held, and not refused',
    async (kind) => {
      const { pass, read, send } = world({ work: 9 })
      const asks = (hops: number) => {
        const answered = send({ kind, chain: 'c', hops })
        read(answered)
        return answered
      }
      const passes = async (answered: Message) => {
        const { lineage, ring, verdict } = await pass({ answered, kind: 'result' })
        return [verdict.rule, lineage, ring.ring]
      }
      const [near, far] = [asks(2), asks(5)]
      expect(await passes(near)).toEqual(['an answer', { chain: 'c', hops: 2, depth: 5 }, 'rings'])
      expect(await passes(far)).toEqual(['an answer', { chain: 'c', hops: 5, depth: 5 }, 'held'])
      await expect(passes(far)).rejects.toThrow('blocked')
    },
  )
})

describe('what follows from a held message', () => {
  const world5 = (fields: Partial<Turn> = {}) => {
    const here = world({ work: 1, ...fields })
    const held = here.send({ chain: 'c', hops: 4, silent: { ring: 'held', why: 'x' } })
    here.read(held)
    return { ...here, held }
  }

  test('is refused, whatever it says that it answers', async () => {
    const { bus, pass, held } = world5()
    for (const answered of [held, undefined]) {
      const error = await pass({ answered }).catch((thrown: unknown) => thrown)
      expect(coded(error)).toMatch(/^blocked: it answers a held message/)
      expect(error).toMatchObject({ hint: expect.stringContaining('wait for their answer') })
    }
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ rule: 'loops' }, { rule: 'loops' }])
    expect(readLedger(bus.home, 'frontend').sent).toEqual([])
  })

  test('is refused for one that is approved beforehand, and in the human’s turn that a background task goes on with', async () => {
    const approved = world5()
    const approvals = { backend: { left: null, until: null, at: NOW() } }
    changeLedger(approved.bus, 'frontend', (ledger) => ({ ...ledger, approvals }))
    expect(await approved.pass().catch(coded)).toMatch(/^blocked: it answers a held message/)
    const own = world5({ began: 'human', chain: 'c', checked: 'one' })
    expect(await own.pass().catch(coded)).toMatch(/^blocked: it answers a held message/)
  })

  test('passes to the human, in their own turn, in warn, and held where nothing tells of turns', async () => {
    const { told, untold, pass } = world5()
    expect((await pass({ to: 'human' })).ring.ring).toBe('rings')
    told({ gate: 'warn' })
    expect(await pass()).toMatchObject({ told: [expect.stringContaining('(loops: ')] })
    untold()
    expect((await pass()).ring.ring).toBe('held')
    const own = world5({ began: 'human', chain: 'mine' })
    expect((await own.pass()).lineage).toEqual({ chain: 'mine', hops: 0 })
  })

  test('passes once the human has let the chain go on', async () => {
    const { bus, pass, send, read } = world({ work: 1 })
    const held = send({ chain: 'c', hops: 4, silent: { ring: 'held', why: 'x' } })
    release(bus, allHeld(bus))
    read(held)
    expect(await pass({ answered: held })).toMatchObject({
      lineage: { hops: 1 },
      ring: { ring: 'rings' },
    })
  })
})

describe('a message to the human', () => {
  test('is held on no chain, and is counted', async () => {
    const { bus, told, pass, read } = world({ work: 1 })
    read(someMessage({ hops: 9 }))
    const passed = await pass({ to: 'human' })
    expect(passed).toMatchObject({ lineage: { hops: 10 }, ring: { ring: 'rings' } })
    expect(readLedger(bus.home, 'frontend')).toMatchObject({
      ...{ sent: [expect.any(Number)], toHuman: [expect.any(Number)] },
    })
    const many = Array.from({ length: 20 }, () => Date.now())
    changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, sent: many, toHuman: many }))
    told()
    expect((await pass({ to: 'human' })).ring).toMatchObject({ ring: 'quiet' })
  })

  test('may be one decision at a time', async () => {
    const { pass, read } = world()
    read(someMessage())
    const decision = { to: 'human', kind: 'question' }
    await pass(decision)
    await expect(pass(decision).catch(coded)).resolves.toMatch(/^blocked: one clarifying question/)
    // The human's answer, once read, makes room for the next.
    read(someMessage({ from: 'human' }))
    expect((await pass(decision)).verdict.rule).toBe('one question')
  })
})

describe('what passes takes', () => {
  test('the work and a place in the count; a question waits, and has its id once it was sent', async () => {
    const { bus, pass, stored } = world({ work: 3 })
    await pass({ kind: 'question' }, () => {
      expect(stored().turn?.work).toBe(0)
      expect(readLedger(bus.home, 'frontend')).toMatchObject({
        sent: [expect.any(Number)],
        questions: { backend: { id: '' } },
      })
    })
    expect(readLedger(bus.home, 'frontend').questions).toMatchObject({ backend: { id: 'sent' } })
  })

  test('an approval where it passed by that, and that is in the history', async () => {
    const { bus, told, untold, pass } = world()
    const approvals = { backend: { left: 2, until: null, at: NOW() } }
    changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, approvals }))
    untold()
    await pass()
    expect(readLedger(bus.home, 'frontend').approvals.backend?.left).toBe(2)
    told()
    await pass()
    expect(readLedger(bus.home, 'frontend').approvals.backend?.left).toBe(1)
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      {
        name: 'frontend',
        id: 'sent',
        by: 'pre-approval',
        reason: expect.stringContaining('@backend'),
      },
    ])
  })

  test.each(['the question', 'the answer', 'the work'])(
    '%s: the next that is judged before it was sent has none',
    async (what) => {
      const { pass, read, send } = world({ work: what === 'the work' ? 1 : 0 })
      const asked = send({ kind: 'question' })
      read(asked)
      const wanted =
        { 'the question': { kind: 'question' }, 'the answer': { answered: asked } }[what] ?? {}
      await pass(wanted, async () => {
        expect(await pass(wanted).catch(coded)).toMatch(/^blocked: /)
      })
    },
  )

  test('nothing of the human’s', async () => {
    const { bus, pass } = world()
    await pass({ from: 'human' })
    expect(readLedger(bus.home, 'human').sent).toEqual([])
  })

  test('all of it back, should it not be sent', async () => {
    const { bus, pass, read, send, stored } = world({ work: 3 })
    const approvals = { docs: { left: 2, until: null, at: NOW() } }
    changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, approvals }))
    const task = send({ kind: 'task' })
    read(task)
    const before = readLedger(bus.home, 'frontend')
    const failing = () => {
      expect(stored().turn?.work).toBe(0)
      throw new Error('the disk is full')
    }
    for (const wanted of [{ kind: 'question' }, { answered: task }, { to: 'docs' }, {}]) {
      await expect(pass(wanted, failing)).rejects.toThrow('the disk is full')
      expect(readLedger(bus.home, 'frontend')).toEqual({ ...before, answers: expect.anything() })
      expect(stored().turn?.work).toBe(3)
    }
    expect(readLedger(bus.home, 'frontend').answers).toMatchObject({ [task.id]: { count: 0 } })
    expect(eventsOf(bus.home, 'approved')).toEqual([])
  })

  test('a question for no longer than it can take to send, where its process was killed before', async () => {
    const { bus, pass } = world()
    const question = { kind: 'question' }
    await pass(question, async () => {
      expect(await pass(question).catch(coded)).toMatch(/^blocked: one clarifying question/)
      const at = new Date(Date.now() - 20_000).toISOString()
      changeLedger(bus, 'frontend', (ledger) => ({
        ...ledger,
        questions: { backend: { id: '', at } },
      }))
      expect((await pass(question)).verdict.rule).toBe('one question')
    })
  })
})

test('what is shown closes the question to its sender, spends what was approved, and nothing else', () => {
  const { bus, read } = world()
  const questions = { backend: { id: 'q1', at: NOW() }, docs: { id: 'q2', at: NOW() } }
  const approvals = { backend: { left: 1, until: null, at: NOW() } }
  changeLedger(bus, 'frontend', (ledger) => ({ ...ledger, questions, approvals }))
  read(someMessage())
  expect(readLedger(bus.home, 'frontend')).toMatchObject({
    questions: { docs: { id: 'q2' } },
    approvals: { backend: { left: 0 } },
  })
  expect(readLedger(bus.home, 'frontend').questions).not.toHaveProperty('backend')
})
