import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortId } from '../../../src/message/shortId.ts'
import { idIn, ringsIn } from '../delivery/heard.ts'
import { bash } from '../delivery/model.ts'
import { eventually } from '../harness/poll.ts'
import type { Block } from '../harness/reply.ts'
import type { Agents } from './agents.ts'
import { type Scene, sceneForTest } from './scene.ts'
import type { Session } from './session.ts'

const LOOPS = [
  { names: 'ann ben', with: 'questions' },
  { names: 'ann ben', with: 'questions in the background' },
  { names: 'ann ben cas', with: 'news' },
] as const

test.each(LOOPS)(
  'models that answer every message with $with for ever come to rest: $names',
  async (loop) => {
    const round = loop.names.split(' ')
    const scene = await sceneForTest()
    await writeFile(scene.path('notes'), 'the notes')
    const sessions: Session[] = []
    for (const name of round) sessions.push(await scene.session(name))
    round.forEach((name, at) => {
      const next = round[(at + 1) % round.length] ?? ''
      if (loop.with === 'questions') asksForEver(scene.agents, name, next)
      else if (loop.with === 'news') tellsForEver(scene.agents, name, next, scene.path('notes'))
      else waitsForEver(scene.agents, name, next)
    })
    const [first, second] = [sessions[0] as Session, round[1] as string]
    const begin =
      loop.with === 'questions in the background'
        ? asks(second, 0)
        : bash(`agent-chat send @${second} "Begin."`)
    await first.prompted(scene.agents.plan(begin))

    // One from the human's turn, and four that no human had a word in, the last of which waits.
    const [held] = await heldOnes(scene, 1)
    // First answers are free: of two that ask each other, as many as there are questions.
    const most = loop.with.startsWith('questions') ? 9 : 5
    const sent = await agentsMessages(scene, round)
    expect(sent.length).toBeGreaterThanOrEqual(5)
    expect(sent.length).toBeLessThanOrEqual(most)
    expect(await scene.chat(['show', String(held?.id)])).toMatch(/held/)
    expect(await scene.chat(['who'])).toMatch(/held/)
    const note = await scene.chat(['inbox', 'human'])
    expect(note).toMatch(
      new RegExp(`^1 unread message[\\s\\S]*agent-chat release ${shortId(String(held?.chain))}`),
    )

    await scene.typed(['release', String(held?.chain)])
    await heldOnes(scene, 2)
    // Whatever was still on its way comes before a later turn of the human's ends.
    for (const session of sessions)
      await session.prompted(scene.agents.plan(bash('agent-chat who')))
    expect((await agentsMessages(scene, round)).length).toBeLessThanOrEqual(2 * most - 1)
    expect(await scene.events('held')).toHaveLength(2)
  },
)

test('models that would be woken in the background by each answer are put to their human first', async () => {
  const scene = await sceneForTest()
  await writeFile(scene.path('notes'), 'the notes')
  const ann = await scene.session('ann')
  await scene.session('ben')
  awaitsForEver(scene.agents, 'ann', 'ben', scene.path('notes'))
  awaitsForEver(scene.agents, 'ben', 'ann', scene.path('notes'))
  await ann.prompted(scene.agents.plan(bash('agent-chat send @ben "Begin."')))
  const asked = await eventually('a dialog', async () => {
    const events = await scene.events('asked')
    return events.length > 0 ? events : undefined
  })
  expect(asked).toMatchObject([{ name: 'ben', tool: 'Bash' }])
  expect(await agentsMessages(scene, ['ann', 'ben'])).toHaveLength(1)
})

test('paused doorbells are silent until they are resumed', async () => {
  const scene = await sceneForTest()
  await scene.session()
  const bells = () => scene.bells('frontend')
  const ring = join(scene.world.chat, 'bells', 'frontend', 'ring')
  let rung = 0
  await eventually('the client to listen to the bell', async () => {
    // It tells of a change half a second after the last one.
    if (Date.now() - rung > 1500) await writeFile(ring, '')
    else return (await bells()) > 0
    rung = Date.now()
    return false
  })
  await scene.chat(['pause'])
  const plan = scene.agents.plan(bash('agent-chat who'))
  const before = await bells()
  await scene.asks(plan)
  await eventually('the bell to be heard', async () => (await bells()) > before)
  expect(await scene.chat(['gate'])).toMatch(/paused/)
  expect(await scene.events('rung')).toEqual([])
  expect(plan.begun).toBe(false)
  await scene.typed(['unpause'])
  await eventually('the message to be read', () => plan.done)
  expect(await scene.events('rung')).toHaveLength(1)
})

/** A model that does a little work on every message and tells the next of it, a hundred times. */
function tellsForEver(agents: Agents, name: string, next: string, notes: string): void {
  let said = 0
  agents.habit(name, (text) => {
    if (ringsIn(text).length > 0) return bash('agent-chat inbox')
    if (/unread messages? for @/.test(text)) return { tool: 'Read', input: { file_path: notes } }
    if (!text.includes('the notes') || said >= 100) return undefined
    said += 1
    return bash(`agent-chat send @${next} "I have read the notes again, and found ${said} things."`)
  })
}

/**
 * A model that does a little work on every message and answers it, a hundred times, and would be
 * woken by each answer besides.
 */
function awaitsForEver(agents: Agents, name: string, next: string, notes: string): void {
  let said = 0
  let last = ''
  agents.habit(name, (text) => {
    if (ringsIn(text).length > 0 || /<task-notification>/.test(text))
      return bash('agent-chat inbox')
    if (/unread messages? for @/.test(text)) {
      last = [...text.matchAll(/^── (\w{5,}) ──$/gm)].at(-1)?.[1] ?? ''
      return { tool: 'Read', input: { file_path: notes } }
    }
    if (!text.includes('the notes') || said >= 100) return undefined
    said += 1
    const command = `agent-chat send @${next} "Point ${said}." --reply-to ${last} --wait answered --timeout 300`
    return { tool: 'Bash', input: { command, description: 'agent-chat', run_in_background: true } }
  })
}

/** A model that answers every message with a question, a hundred times. */
function asksForEver(agents: Agents, name: string, next: string): void {
  let asked = 0
  agents.habit(name, (text) => {
    if (ringsIn(text).length > 0) return bash('agent-chat inbox')
    if (!/unread messages? for @/.test(text) || asked >= 100) return undefined
    asked += 1
    return bash(`agent-chat send @${next} --question "And what of number ${asked}?"`)
  })
}

/**
 * A model that answers every question, and asks the next one a hundred times, each time that a
 * command of its own in the background has ended.
 */
function waitsForEver(agents: Agents, name: string, next: string): void {
  let asked = 0
  agents.habit(name, (text) => {
    const question = idIn(text, 'question')
    if (question !== undefined) return bash(`agent-chat reply ${question} "It is ${asked}."`)
    if (!/<task-notification>[\s\S]*completed \(exit code 0\)/.test(text) || asked >= 100)
      return undefined
    asked += 1
    return asks(next, asked)
  })
}

/** A question whose answer is waited for in the background. */
function asks(next: string, number: number): Block {
  const command = `agent-chat ask @${next} "And what of number ${number}?"`
  return { tool: 'Bash', input: { command, description: 'agent-chat', run_in_background: true } }
}

async function heldOnes(scene: Scene, count: number): Promise<Record<string, unknown>[]> {
  return eventually(`${count} held messages`, async () => {
    const held = await scene.events('held')
    return held.length >= count ? held : undefined
  })
}

async function agentsMessages(scene: Scene, names: string[]): Promise<string[]> {
  return (await Promise.all(names.map((name) => scene.sentBy(name)))).flat()
}
