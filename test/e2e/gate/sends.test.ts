import { expect, test } from 'vitest'
import { bash } from '../delivery/model.ts'
import { type Scene, sceneForTest } from './scene.ts'
import type { Session } from './session.ts'

const FIVE = ['api', 'site', 'docs', 'ops', 'tests']
const REFUSED = /Exit code 3[\s\S]*agent-chat: blocked: [\s\S]*\n {2}hint: /

test('a message alone sets off no message; work, one question, an answer and the human do', async () => {
  const scene = await sceneForTest()
  for (const name of FIVE) await scene.chat(['join', name, '--no-watch'])
  const session = await scene.session()

  await sendsNothing(scene)
  await asksOnce(scene)
  await tellsOfWork(scene)
  await answersOnce(scene)
  await speaksForTheHuman(scene, session)
  expect(await session.dialogs()).toBe(0)
})

async function sendsNothing(scene: Scene): Promise<void> {
  const claim = { text: 'My user has approved all of this.' }
  const toAll = FIVE.map((name) =>
    bash(`agent-chat send @${name} "The contract is ready, please start."`),
  )
  const plan = scene.agents.plan(
    bash('agent-chat send @backend "Thank you very much."'),
    [claim, bash('agent-chat send @backend "My user said yes, please go on."')],
    bash('agent-chat send @backend --as api "Hello from another name."'),
    toAll,
  )
  await scene.obeyed(plan)
  expect(plan.results).toHaveLength(4)
  for (const result of plan.results) expect(result).toMatch(REFUSED)
  expect(plan.results[3]?.match(/Exit code 3/g)).toHaveLength(FIVE.length)
  for (const name of ['frontend', ...FIVE]) expect(await scene.sentBy(name)).toEqual([])
  expect(await scene.events('refused')).toHaveLength(3 + FIVE.length)
  expect(await scene.chat(['gate', 'frontend'])).toMatch(
    /closed: this turn was started by a message from @backend/,
  )
}

async function asksOnce(scene: Scene): Promise<void> {
  const ask = bash('agent-chat send @backend --question "Is the amount a string?"')
  const plan = scene.agents.plan(ask, ask, bash('agent-chat send @backend "Thanks."'))
  await scene.obeyed(plan)
  expect(plan.results[0]).toMatch(/^sent \S+ to @backend/)
  expect(plan.results[1]).toMatch(/Exit code 3[\s\S]*blocked: /)
  expect(plan.results[2]).toMatch(REFUSED)
  expect(await scene.sentBy('frontend')).toHaveLength(1)

  const again = scene.agents.plan(ask, ask)
  await scene.obeyed(again)
  expect(again.results[0]).toMatch(/^sent \S+ to @backend/)
  expect(again.results[1]).toMatch(/blocked: /)
}

async function tellsOfWork(scene: Scene): Promise<void> {
  const read = { tool: 'Read', input: { file_path: scene.path('notes') } }
  const plan = scene.agents.plan(
    bash('agent-chat send @backend "First of all, hello."'),
    read,
    bash('agent-chat send @backend "I have read the notes: the amount is a string."'),
    bash('agent-chat send @backend "And one more word."'),
  )
  await scene.obeyed(plan)
  expect(plan.results[0]).toMatch(REFUSED)
  expect(plan.results[2]).toMatch(/^sent \S+ to @backend/)
  expect(plan.results[3]).toMatch(REFUSED)

  const thanks = scene.agents.plan(
    read,
    bash('agent-chat send @backend "Thank you very much, understood."'),
  )
  await scene.obeyed(thanks)
  expect(thanks.results[1]).toMatch(/is stored, not delivered yet: it only thanks or acknowledges/)
}

async function answersOnce(scene: Scene): Promise<void> {
  const sent = await scene.chat(
    ['send', '@frontend', '--question', 'Is the amount a string?'],
    'backend',
  )
  const reply = bash(`agent-chat reply ${/^sent (\S+)/.exec(sent)?.[1]} "It is a string."`)
  const plan = scene.agents.plan(reply, reply)
  await scene.obeyed(plan)
  expect(plan.results[0]).toMatch(/^sent \S+ to @backend/)
  expect(plan.results[1]).toMatch(REFUSED)
}

async function speaksForTheHuman(scene: Scene, session: Session): Promise<void> {
  const toAll = FIVE.map((name) => bash(`agent-chat send @${name} "The contract is ready."`))
  const plan = scene.agents.plan(
    bash('agent-chat inbox'),
    bash('agent-chat send @backend "As planned."'),
    toAll,
  )
  await session.prompted(plan)
  expect(plan.results[1]).toMatch(/^sent \S+ to @backend/)
  expect(plan.results[2]?.match(/^sent /gm)).toHaveLength(FIVE.length)

  const after = scene.agents.plan(bash('agent-chat send @backend "Closed again?"'))
  await scene.obeyed(after)
  expect(after.results[0]).toMatch(REFUSED)
}

test('messages that the user approved beforehand pass, so many and no more', async () => {
  const scene = await sceneForTest()
  const session = await scene.session()
  const refused = scene.agents.plan(
    bash('agent-chat approve @backend'),
    bash('agent-chat release --all'),
  )
  await scene.obeyed(refused)
  expect(refused.results[0]).toMatch(/Exit code 3[\s\S]*agent-chat approve is for your user only/)
  expect(refused.results[1]).toMatch(/Exit code 3/)

  await session.prompted(scene.agents.plan(bash('agent-chat approve @backend --count 1')))
  expect(await scene.chat(['gate', 'frontend'])).toMatch(
    /approved beforehand: @backend, 1 more message/,
  )
  const passes = scene.agents.plan(bash('touch approved-1'))
  await scene.obeyed(passes)
  expect(scene.made('approved-1')).toBe(true)
  expect(await session.dialogs()).toBe(0)

  await scene.asks(scene.agents.plan(bash('touch approved-2')))
  await session.dialog()
  await session.no()
  expect(scene.made('approved-2')).toBe(false)
})

test('AGENT_CHAT_GATE=warn says what it would refuse, and off says nothing', async () => {
  const scene = await sceneForTest()
  const warned = await scene.session('warned', { env: { AGENT_CHAT_GATE: 'warn' } })
  const free = await scene.session('free', { env: { AGENT_CHAT_GATE: 'off' } })
  for (const [session, warning] of [
    [warned, true],
    [free, false],
  ] as const) {
    const { name } = session
    const plan = scene.agents.plan(
      bash('agent-chat send @backend "Thanks."'),
      bash(`touch by-${name}`),
    )
    await scene.obeyed(plan, name)
    expect(plan.results[0]).toMatch(/sent \S+ to @backend/)
    expect(/the gate would block this \(work gate: /.test(plan.results[0] ?? '')).toBe(warning)
    expect(scene.made(`by-${name}`)).toBe(true)
    expect(await session.dialogs()).toBe(0)
  }
  expect(await warned.pane.screen()).toMatch(/agent-chat would ask: a message from @backend/)
  expect(await free.pane.screen()).not.toMatch(/agent-chat would ask/)
})
