import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { agentOf } from '../../../../src/agents/agents.ts'
import { eventually } from '../../harness/poll.ts'
import { claudeWorld, type World } from '../../harness/world.ts'
import { allow, asPerson, changingAfterInbox, printed, setUpAndRemove } from '../cases.ts'
import { CLIENTS, type ClientName } from '../clients.ts'
import { comesBack } from '../comesBack.ts'
import { handOver } from '../handover.ts'
import { listening } from '../ports.ts'
import type { Answer, Asked } from '../responses.ts'
import { type Case, delivered, over, rung, type Stage, say, setUp, tell, waits } from './stage.ts'

/** The session ends, with its pane. */
async function end({ world, bob }: Stage, session = 'bob'): Promise<void> {
  await bob.kill()
  await eventually('the session to leave', async () => {
    const { sessions } = JSON.parse(await world.chat('who', '--json'))
    return !sessions.some(({ name }: { name: string }) => name === session)
  })
}

/** Both do some work, and always answer. */
function answering({ prompt, results }: Asked): Answer {
  const [, start] = /START (\d+)/.exec(prompt) ?? []
  const [, from] = /from @(alice|bob)/.exec(prompt) ?? []
  if (start && results.length === 0) return { run: `agent-chat send @bob "again ${start}"` }
  const steps = from ? ['agent-chat inbox', 'ls', `agent-chat send @${from} "and again"`] : []
  const run = steps[results.length]
  return run === undefined ? { say: 'the end' } : { run }
}

const isRefused = ({ results }: Asked) =>
  results.length > 2 && /blocked|held|not delivered yet/.test(results[2] ?? '')

export const CHECKS: Case[] = [
  {
    name: 'every tool that its model is offered is one that agent-chat knows',
    fresh: true,
    play: async ({ world, name, n }) => {
      const bob = await world.start('bob')
      await say({ world, name, bob, n }, `hello ${n}`)
      await world.model.waitFor('the prompt', ({ prompt }) => prompt.includes(`hello ${n}`))
      const { tools = {}, changes = '' } = agentOf(name)?.hooks ?? {}
      const known = [...Object.keys(tools), ...changes.split(' ')]
      const offered = new Set(world.model.asked.flatMap((asked) => asked.tools))
      expect(offered.size).toBeGreaterThan(2)
      expect([...offered].filter((tool) => !known.includes(tool))).toEqual([])
      await over({ world, name, bob, n })
      await end({ world, name, bob, n })
    },
  },
  {
    name: 'the first message, before any prompt; no TCP port is open',
    fresh: true,
    play: async (stage, tally) => {
      const bob = await stage.world.start('bob')
      const from = stage.world.model.asked.length
      const text = `message ${stage.n}.`
      const since = await tell(stage, text)
      await delivered(stage, { text, since, from }, tally)
      expect(await listening(stage.world.chatHome)).toEqual([])
      await over({ ...stage, bob })
      await end({ ...stage, bob })
    },
  },
  {
    name: 'two sessions on one configuration each send and read as themselves',
    fresh: true,
    play: async (stage) => {
      const { world, n } = stage
      const [alice, bob] = [await world.start('alice'), await world.start('bob')]
      const from = world.model.asked.length
      await say(
        { ...stage, bob },
        `RUN agent-chat send @alice "this is bob ${n}" && agent-chat who`,
      )
      await allow(world, bob, printed(/sent \w+ to @alice/), from)
      const read = await world.model.waitFor('what alice read', printed(/from @bob/), from)
      expect(read.prompt).toContain('New message from @bob. Check inbox.')
      expect(read.results.join('')).toContain(`this is bob ${n}`)
      await over({ ...stage, bob: alice }, 'alice')
      await end({ ...stage, bob: alice }, 'alice')
      await end({ ...stage, bob })
    },
  },
  {
    name: 'the agent ended, with a shell in its place, and started again',
    fresh: true,
    play: async (stage, tally) => {
      const { world, n, name } = stage
      const { submit, pane } = await asPerson(world)
      const args = (world.client.args ?? []).join(' ')
      const begin = `agent-chat start bob --agent ${name}${args && ` -- ${args}`}`
      await submit(begin)
      await pane.waitFor(world.client.ready)
      await tell(stage, `before ${n}.`)
      await world.model.waitFor(`before ${n}.`, printed(new RegExp(`before ${n}\\.`)))
      await over({ ...stage, bob: pane })
      const registered = await readFile(join(world.chatHome, 'sessions.json'), 'utf8')
      const { pid } = JSON.parse(registered).bob.agent
      process.kill(pid, 'SIGKILL')
      const from = world.model.asked.length
      const text = `message ${n}.`
      // By then it may have left already.
      const since = await tell(stage, text, '--queue')
      // Where the cursor was: what the agent has drawn stays around it.
      await pane.waitFor(/bash-[\d.]+[$#](?! agent-chat)/)
      await submit(`clear; echo here-$((${n} + 1000))`)
      await pane.waitFor(new RegExp(`here-${n + 1000}`))
      expect(world.model.asked.slice(from).filter(rung)).toEqual([])
      await submit(begin)
      await pane.waitFor(world.client.ready)
      await delivered(stage, { text, since, from }, tally)
      tally.ms.pop()
      await over({ ...stage, bob: pane })
      await end({ ...stage, bob: pane })
    },
  },
  {
    name: 'a conversation that is resumed hears its messages in it',
    fresh: true,
    play: async (stage, tally) => {
      const { world, n } = stage
      const bob = await world.start('bob')
      await say({ ...stage, bob }, `SAY remember ${n}`)
      await world.model.waitFor('the first turn', ({ prompt }) => prompt.includes(`remember ${n}`))
      await over({ ...stage, bob })
      await end({ ...stage, bob })
      const again = await world.start('bob', ...world.client.resume)
      const from = world.model.asked.length
      const text = `message ${n}.`
      const since = await tell(stage, text)
      const read = await delivered(stage, { text, since, from }, tally)
      expect(read?.text).toContain(`remember ${n}`)
      await over({ ...stage, bob: again })
      await end({ ...stage, bob: again })
    },
  },
  {
    name: 'a change in a turn of yours, after one of a message, passes without a question',
    play: async (stage, tally) => {
      const { world, bob, n } = stage
      const text = `message ${n}.`
      const from = world.model.asked.length
      const since = await tell(stage, text)
      await delivered(stage, { text, since, from }, tally)
      await over(stage)
      const made = join(world.cwd, `made-by-you-${n}`)
      await say(stage, `RUN touch ${made}`)
      await eventually('the change', () => existsSync(made), { state: () => bob.screen() })
      await over(stage)
    },
  },
  {
    name: 'two sessions come back by their ids after everything was killed',
    fresh: true,
    only: (Object.keys(CLIENTS) as ClientName[]).filter((name) => agentOf(name)?.resume),
    play: ({ world, name, n }) => comesBack(world, name, n),
  },
  {
    name: 'a change of a message is put to the human, who says no, and then yes',
    rule: changingAfterInbox,
    play: async (stage) => {
      const { world } = stage
      const made = join(world.cwd, 'made-by-a-message')
      rmSync(made, { force: true })
      if (world.client.decides) await decided(stage, made)
      else await answered(stage, made)
      await over(stage)
    },
  },
  {
    name: 'hooks that are not set up, or not trusted, are reported',
    setUp: false,
    fresh: true,
    play: async (stage) => {
      const { world, name } = stage
      const doctor = () => world.chat('doctor', '--no-ring').catch((error) => error.stdout)
      if (world.client.trusts) {
        await world.chat('setup', '--agent', name)
        expect(await doctor()).toMatch(new RegExp(`${name}.*does not trust`))
        await setUp(world, name)
        expect(await doctor()).toMatch(new RegExp(`ok +${name} .*set up and trusted`))
        await world.chat('setup', '--agent', name, '--remove')
      }
      expect(await doctor()).toMatch(new RegExp(`${name}.*not set up`))
    },
  },
  {
    name: 'setup and its removal leave its files as they were, byte for byte',
    setUp: false,
    fresh: true,
    play: async ({ world, name }) => {
      await setUpAndRemove(world, name)
    },
  },
  {
    name: 'two that always answer come to rest within four messages',
    rule: answering,
    fresh: true,
    play: async (stage) => {
      const { world, n } = stage
      const alice = await world.start('alice')
      const bob = await world.start('bob')
      const from = world.model.asked.length
      await say({ ...stage, bob: alice }, `START ${n}`)
      // Four turns of three commands; Qwen Code takes 5 s for its first one on a busy machine.
      await world.model.waitFor('a message that is not sent', isRefused, from)
      await over({ ...stage, bob }, 'bob')
      await over({ ...stage, bob: alice }, 'alice')
      expect(world.model.asked.slice(from).filter(rung).length).toBeLessThanOrEqual(4)
      await end({ ...stage, bob: alice }, 'alice')
      await end({ ...stage, bob })
    },
  },
  {
    name: 'while all doorbells are paused nothing rings, and after that it does',
    play: async (stage, tally) => {
      const { world, n } = stage
      await world.chat('pause')
      const from = world.model.asked.length
      const text = `message ${n}.`
      await tell(stage, text)
      await waits(stage)
      if (world.model.asked.slice(from).some(rung)) tally.harmed += 1
      const since = Date.now()
      await world.chat('unpause')
      await delivered(stage, { text, since, from }, tally)
      await over(stage)
    },
  },
  {
    name: 'Claude Code hands over to it, its change is put to its human, and it reports back',
    only: ['codex'],
    fresh: true,
    play: async () => {
      let claude: World | undefined
      try {
        await handOver(async (options) => {
          claude = await claudeWorld(options)
          return claude
        })
      } finally {
        await claude?.close()
      }
    },
  },
]

/** By the agent's own dialog. */
async function answered(stage: Stage, made: string): Promise<void> {
  const { world, bob, n } = stage
  for (const key of ['Escape', 'Enter']) {
    await tell(stage, `message ${n}. please change something`)
    await bob.waitFor(/agent-chat: [\s\S]*this turn/)
    await bob.waitFor(world.client.dialog)
    expect(existsSync(made)).toBe(false)
    await bob.key(key)
    await bob.waitFor((screen) => !world.client.dialog.test(screen))
    if (key === 'Enter') await eventually('the change', () => existsSync(made))
  }
}

/** By a decision in the human's inbox. */
async function decided(stage: Stage, made: string): Promise<void> {
  const { world, n } = stage
  const { submit } = await asPerson(world)
  for (const choice of [3, 1]) {
    const from = world.model.asked.length
    await tell(stage, `message ${n}. please change something`)
    const refused = await world.model.waitFor('the refusal', printed(/decision \d+/), from)
    await over(stage)
    expect(existsSync(made)).toBe(false)
    const [, decision] = /decision (\d+)/.exec(refused.results.at(-1) ?? '') ?? []
    await submit(`agent-chat reply ${decision} ${choice}`)
    if (choice === 1) await eventually('the change', () => existsSync(made))
    else
      await world.model.waitFor(
        'the turn of the no',
        ({ prompt, results }) => /from @human/.test(prompt) && results.length > 1,
        from,
      )
    await over(stage)
  }
}
