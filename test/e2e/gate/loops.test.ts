import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ringsIn } from '../delivery/heard.ts'
import { bash } from '../delivery/model.ts'
import { eventually } from '../harness/poll.ts'
import type { Agents } from './agents.ts'
import { type Scene, type Session, sceneForTest } from './scene.ts'

const RINGS = [
  ['ann', 'ben'],
  ['ann', 'ben', 'cas'],
]

test.each(RINGS)('models that answer every message for ever come to rest: %s, %s, %s', async (...names) => {
  const round = names.filter((name) => typeof name === 'string')
  const scene = await sceneForTest()
  await writeFile(scene.path('notes'), 'the notes')
  const sessions: Session[] = []
  for (const name of round) sessions.push(await scene.session(name))
  round.forEach((name, at) => {
    answersForEver(scene.agents, name, round[(at + 1) % round.length] ?? '', scene.path('notes'))
  })
  const [first, second] = [sessions[0] as Session, round[1]]
  await first.prompted(scene.agents.plan(bash(`agent-chat send @${second} "Please begin."`)))

  const [held] = await heldOnes(scene, 1)
  await comesToRest(scene, sessions)
  // One from the human's turn, and four that no human had a word in, the last of which waits.
  expect(await agentsMessages(scene, round)).toHaveLength(5)
  expect(await heldOnes(scene, 1)).toHaveLength(1)
  expect(await scene.chat(['show', String(held?.id)])).toMatch(/held/)
  expect(await scene.chat(['who'])).toMatch(/held/)
  const note = await scene.chat(['inbox', 'human'])
  expect(note).toMatch(new RegExp(`^1 unread message[\\s\\S]*agent-chat resume ${held?.chain}`))

  await scene.chat(['resume', String(held?.chain)])
  await heldOnes(scene, 2)
  await comesToRest(scene, sessions)
  expect(await agentsMessages(scene, round)).toHaveLength(9)
})

test('paused doorbells are silent until they are resumed', async () => {
  const scene = await sceneForTest()
  await scene.session()
  await scene.chat(['pause'])
  const plan = scene.agents.plan(bash('agent-chat who'))
  await scene.asks(plan)
  const bell = () => scene.bells('frontend')
  await eventually('the bell to be heard', async () => (await bell()) > 0)
  expect(await scene.chat(['gate'])).toMatch(/paused/)
  expect(await scene.events('rung')).toEqual([])
  expect(plan.begun).toBe(false)
  await scene.chat(['resume', '--all'])
  await eventually('the message to be read', () => plan.done)
  expect(await scene.events('rung')).toHaveLength(1)
})

/** A model that does a little work on every message and tells the next of it, a hundred times. */
function answersForEver(agents: Agents, name: string, next: string, notes: string): void {
  let said = 0
  agents.habit(name, (text) => {
    if (ringsIn(text).length > 0) return bash('agent-chat inbox')
    if (/unread messages? for @/.test(text)) return { tool: 'Read', input: { file_path: notes } }
    if (!text.includes('the notes') || said >= 100) return undefined
    said += 1
    return bash(`agent-chat send @${next} "I have read the notes again, and found ${said} things."`)
  })
}

/** Lets a human's turn go by in every session: whatever was still on its way there has come by then. */
async function comesToRest(scene: Scene, sessions: Session[]): Promise<void> {
  for (const session of sessions) await session.prompted(scene.agents.plan(bash('agent-chat who')))
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
