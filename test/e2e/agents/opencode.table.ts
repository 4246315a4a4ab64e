import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../harness/poll.ts'
import {
  asPerson,
  asThemselves,
  changingAfterInbox,
  heard,
  model,
  printed,
  sender,
  setUpAndRemove,
} from './cases.ts'
import { listening } from './ports.ts'
import type { Asked } from './responses.ts'
import { type AgentWorld, agentWorld } from './world.ts'

const ROUNDS = 10

async function ready(rule: typeof model): Promise<AgentWorld> {
  const world = await agentWorld('opencode', rule)
  await world.chat('setup', '--agent', 'opencode')
  return world
}

const rung = ({ prompt, results }: Asked) => /Check inbox\./.test(prompt) && results.length === 0

/** The turn in which this message was read is over. */
const over = (world: AgentWorld) =>
  eventually('bob to be idle', async () => /idle/.test(await world.chat('status', 'bob')))

test('setup and its removal leave its files as they were', async () => {
  await setUpAndRemove(await agentWorld('opencode', model), 'opencode')
})

test('two sessions on one configuration each send and read as themselves, and no port is open', async () => {
  const world = await ready(model)
  await asThemselves(world)
  expect(await listening(world.env.AGENT_CHAT_HOME ?? '')).toEqual([])
})

test('a ring comes in every state, once', async () => {
  const world = await ready(model)
  const bob = await world.start('bob')
  const tell = await sender(world)
  const took: Record<string, number> = {}
  const round = async (text: string) => {
    const from = world.model.asked.length
    const sent = await tell(text)
    await heard(world, text, sent)
    // From the end of `send` to the first request of the turn that the ring began.
    took[text] = (world.model.asked.slice(from).find(rung)?.at ?? Number.NaN) - sent
    await over(world)
  }
  await round('before any prompt')
  for (let n = 1; n <= ROUNDS; n++) await round(`idle ${n}.`)

  await bob.submit('SLOW please')
  await bob.waitFor(/one two/)
  await round('while it streams')
  expect(world.model.asked.at(-1)?.text).toMatch(/six seven eight nine ten/)

  await bob.type('unsent words')
  await bob.waitFor(/┃ +unsent words/)
  await round('with a draft')
  expect(await bob.screen()).toMatch(/┃ +unsent words/)
  await bob.key(...[...'unsent words'].map(() => 'BSpace'))
  await bob.waitFor((screen) => !/unsent words/.test(screen))

  await bob.submit('RUN touch asked-by-bob')
  await bob.waitFor(world.client.dialog)
  await tell('at a dialog')
  await eventually('bob to be asking', async () => /asking/.test(await world.chat('who')))
  expect(await bob.screen()).toMatch(world.client.dialog)
  expect(existsSync(join(world.cwd, 'asked-by-bob'))).toBe(false)
  await bob.key('Enter')
  await heard(world, 'at a dialog', Date.now())
  expect(existsSync(join(world.cwd, 'asked-by-bob'))).toBe(true)
  await over(world)

  await bob.submit('SLOW again')
  await eventually('the answer', async () =>
    /again[\s\S]*one two/.test(await bob.screen()) ? true : undefined,
  )
  await bob.key('Escape')
  await bob.key('Escape')
  await round('after Escape')

  await world.chat('rename', 'bob', 'bobby')
  await world.chat('send', '@bobby', 'under another name', '--as', 'lead')
  await world.model.waitFor('another name', printed(/under another name/))

  expect(world.model.asked.filter(rung)).toHaveLength(ROUNDS + 6)
  console.log(`opencode: ${JSON.stringify(took)} (ms)`)
})

test('the human’s yes lets the call of a message run, and a no does not', async () => {
  const world = await ready(changingAfterInbox)
  await world.start('bob')
  const tell = await sender(world)
  const made = join(world.cwd, 'made-by-a-message')
  await tell('please change something')
  await world.model.waitFor('the refusal', printed(/decision 1/))
  await over(world)
  const person = await asPerson(world)
  await person('agent-chat reply 1 3')
  const declined = await world.model.waitFor(
    'the turn of the no',
    ({ prompt, results }) => /from @human/.test(prompt) && results.length > 1,
  )
  expect(declined.results.join('')).toMatch(/said no|declined|refused|no/i)
  expect(existsSync(made)).toBe(false)
  await over(world)

  const from = world.model.asked.length
  await tell('please change something else')
  const again = await world.model.waitFor('the second refusal', printed(/decision \d/), from)
  await over(world)
  const [, open] = /decision (\d+)/.exec(again.results[1] ?? '') ?? []
  await person(`agent-chat reply ${open} 1`)
  await eventually('the call to run', () => existsSync(made))
})

test('a conversation that is gone on with hears its messages in it', async () => {
  const world = await ready(model)
  const bob = await world.start('bob')
  await bob.submit('RUN echo remember')
  await world.model.waitFor('the first turn', printed(/remember/))
  await over(world)
  await world.chat('leave', 'bob')
  await bob.kill()
  const tell = await sender(world)
  await world.start('bob', '--continue')
  await tell('and now')
  const asked = await world.model.waitFor('the message', printed(/and now/))
  expect(asked.text).toContain('RUN echo remember')
})
