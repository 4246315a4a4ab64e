import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Home } from '../../bus/home.ts'
import { markOf } from '../../bus/mail/marks.ts'
import { noteWaiting } from '../../session/waiting.ts'
import { agentsOn } from '../../testing/agent.ts'
import { type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../../testing/home.ts'
import { longId } from '../../testing/longId.ts'
import { priorityFrom } from './message.ts'

const run = (home: Home, args: string[], options: Partial<RunOptions> = {}) =>
  runCli(args, { home: home.root, env: { AGENT_CHAT_NAME: 'backend' }, ...options })
const sentId = (stdout: string) => /^sent (\S+) to/.exec(stdout)?.[1] ?? ''
const bellAt = (home: Home, name: string) =>
  statSync(home.ring(name), { throwIfNoEntry: false })?.mtimeMs

test.each([
  [{}, undefined],
  [{ urgent: true }, 'urgent'],
  [{ quiet: true }, 'quiet'],
] as const)('%j asks for %s', (flags, priority) => expect(priorityFrom(flags)).toBe(priority))

/** Every command that sends to somebody of its choice, and whom that reaches. */
const COMMANDS: [name: string, to: string, args: string[]][] = [
  ['send', 'frontend', ['send', '@frontend', 'hello']],
  ['task', 'frontend', ['task', '@frontend', 'hello']],
  ['reply', 'frontend', ['reply', 'from-frontend', 'it is a string, because of the rounding']],
  ['ask', 'frontend', ['ask', '@frontend', 'why?', '--timeout', '0.01']],
  ['escalate', 'human', ['escalate', 'now or later?']],
]

describe.each(COMMANDS)('%s', (_, to, args) => {
  async function world(): Promise<Home> {
    const home = tempHome('backend', 'frontend')
    await run(home, ['send', '@backend', 'is it a string?'], {
      env: { AGENT_CHAT_NAME: 'frontend' },
    })
    return home
  }

  test('--urgent is in the header, in the history, and marked for hooks', async () => {
    const home = await world()
    await run(home, [...args, '--urgent'])
    const sent = eventsOf(home, 'sent').at(-1)
    expect(sent).toMatchObject({ to, priority: 'urgent' })
    expect(sent).not.toHaveProperty('ring')
    expect(markOf(home, to, String(sent?.id))).toMatchObject({ ring: 'urgent' })
    const shown = JSON.parse((await run(home, ['show', String(sent?.id), '--json'])).stdout)
    expect(shown).toMatchObject({ priority: 'urgent', silent: { ring: 'urgent' } })
  })

  test('--quiet rings no bell, and nothing more is said of it', async () => {
    const home = await world()
    const bell = bellAt(home, to)
    const { stderr } = await run(home, [...args, '--quiet'])
    expect(stderr).not.toContain('does not ring')
    expect(bellAt(home, to)).toBe(bell)
    const sent = eventsOf(home, 'sent').at(-1)
    expect(sent).toMatchObject({ to, priority: 'quiet', ring: 'quiet', why: 'sent --quiet' })
    expect(markOf(home, to, String(sent?.id))).toMatchObject({ ring: 'quiet' })
  })

  test('both are refused, and nothing is sent', async () => {
    const home = await world()
    const { code, stderr } = await run(home, [...args, '--quiet', '--urgent'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'agent-chat: --urgent and --quiet exclude each other\n  hint: leave one out\n',
    })
    expect(eventsOf(home, 'sent')).toHaveLength(1)
  })

  test('neither leaves no trace', async () => {
    const home = await world()
    await run(home, args)
    expect(eventsOf(home, 'sent').at(-1)).not.toHaveProperty('priority')
    expect(filesIn(home.heldBy(to))).toEqual([])
  })
})

test('waiting again for an answer asks nothing new: no priority', async () => {
  const home = tempHome('backend', 'frontend')
  await run(home, ['ask', '@frontend', 'why?', '--timeout', '0.01'])
  expect((await run(home, ['ask', '--resume', 'from-backend', '--urgent'])).code).toBe(2)
})

describe('an inbox', () => {
  test('has urgent messages first, then all by time, and says so', async () => {
    const home = tempHome('backend', 'frontend')
    const words = [
      ['one', '--quiet'],
      ['two'],
      ['three', '--urgent'],
      ['four'],
      ['five', '--urgent'],
      ['six', '--quiet'],
    ]
    for (const word of words) await run(home, ['send', '@frontend', ...word])
    const mine = { env: { AGENT_CHAT_NAME: 'frontend' } }
    const order = ['three', 'five', 'one', 'two', 'four', 'six']
    const { messages } = JSON.parse((await run(home, ['inbox', '--peek', '--json'], mine)).stdout)
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(order)
    const limited = JSON.parse(
      (await run(home, ['inbox', '--peek', '--json', '--limit', '1'], mine)).stdout,
    )
    expect(limited.messages).toMatchObject([{ body: 'three', priority: 'urgent' }])
    // Of four, the quiet ones are left over.
    const four = ['inbox', '--peek', '--json', '--limit', '4']
    const some: { messages: { body: string }[] } = JSON.parse((await run(home, four, mine)).stdout)
    expect(some.messages.map(({ body }) => body)).toEqual(['three', 'five', 'two', 'four'])
    const { stdout } = await run(home, ['inbox'], mine)
    expect(stdout.match(/^from .*$/gm)?.map((line) => line.split(' · ')[1])).toEqual(
      ['urgent', 'urgent', 'quiet', '', '', 'quiet'].map((word) => `${word} note`.trim()),
    )
    expect((await run(home, ['history'])).stdout).toMatch(/@frontend {2}urgent note {2}three\n/)
    // The marks go with their messages.
    expect(filesIn(home.heldBy('frontend'))).toEqual([])
  })

  test('orders by the marks: what merely thanks is quiet, whatever its sender asked for', async () => {
    const { bus, agents } = await agentsOn('backend', 'frontend')
    const [backend, frontend] = agents
    await frontend?.human()
    const { stdout } = (await frontend?.chat('send', '@backend', 'GET /tasks is ready')) ?? {
      stdout: '',
    }
    await backend?.rung('frontend')
    const thanks = await backend?.chat('reply', sentId(stdout), 'Thanks!', '--question', '--urgent')
    expect(thanks?.stderr).toContain('is stored, not delivered yet: it only thanks or acknowledges')
    expect(markOf(bus.home, 'frontend', longId(bus.home, thanks?.stdout ?? ''))).toMatchObject({
      ring: 'quiet',
    })
  })
})

describe('why a message has not rung yet', () => {
  async function world() {
    const { bus, agents } = await agentsOn('frontend')
    const [frontend] = agents
    const send = async (...args: string[]) => {
      const said = await runCli(['send', '@frontend', 'x', ...args], {
        home: bus.home.root,
        env: { AGENT_CHAT_NAME: 'docs' },
      })
      return sentId(said.stdout)
    }
    const why = async (id: string) => {
      const { stdout } = await runCli(['show', id], { home: bus.home.root })
      const { waits } = JSON.parse(
        (await runCli(['show', id, '--json'], { home: bus.home.root })).stdout,
      )
      const shown = /· not delivered yet: (.*)$/m.exec(stdout)?.[1] ?? null
      expect(shown).toBe(waits)
      return waits
    }
    return { bus, frontend, send, why }
  }

  test('is told of a turn, a dialog, a pause, and what its watcher waits for', async () => {
    const { bus, frontend, send, why } = await world()
    const id = await send()
    expect(await why(id)).toBeNull()
    noteWaiting(bus.home, 'frontend', {
      count: 1,
      since: new Date().toISOString(),
      why: 'the input box holds text',
    })
    expect(await why(id)).toBe('the input box holds text')
    await frontend?.hook('user-prompt-submit', {
      prompt: 'go on',
      agent_id: undefined,
      prompt_id: 'p1',
    })
    // Told with that prompt: as good as rung.
    expect(await why(id)).toBeNull()
    const next = await send()
    expect(await why(next)).toBe('it is delivered when the turn is over')
    await frontend?.hook('permission-request')
    expect(await why(next)).toBe('it is delivered when the dialog is answered and the turn is over')
    await runCli(['pause'], { home: bus.home.root, env: { AGENT_CHAT_NAME: 'human' } })
    expect(await why(next)).toBe('all doorbells are paused: agent-chat unpause')
  })

  test('is not told of one that is urgent, quiet, or read', async () => {
    const { bus, frontend, send, why } = await world()
    await frontend?.human()
    expect(await why(await send('--urgent'))).toBeNull()
    expect(await why(await send('--quiet'))).toBeNull()
    const id = await send()
    expect(await why(id)).toBe('it is delivered when the turn is over')
    await runCli(['inbox', 'frontend'], { home: bus.home.root })
    expect(await why(id)).toBeNull()
  })
})
