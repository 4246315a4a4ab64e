import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { ring } from '../bus/mail/bell.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { readSessions } from '../bus/names/registry.ts'
import { readRings } from '../session/ringsFile.ts'
import { believedState, changeState, readState } from '../session/stateFile.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'
import { eventsOf, tempDirectory } from '../testing/home.ts'
import { until } from '../testing/until.ts'

type World = { bus: Bus; agent: TestAgent }

const SILENT = { code: 0, signal: null, stdout: '', stderr: '' }

describe('what came in the middle of a turn', () => {
  const ONE = 'New message from @backend. Check inbox.'
  const rang = (text: string) => ({ code: 2, signal: null, stdout: '', stderr: `${text}\n` })
  const send = ({ bus }: World, from = 'backend') =>
    sendMessage(bus, { from, to: 'frontend', kind: 'note', body: 'ready' }).message.id
  const sendAs = ({ bus }: World, priority: 'urgent' | 'quiet') => {
    const silent =
      priority === 'quiet' ? { silent: { ring: 'quiet', why: 'sent --quiet' } as const } : {}
    const draft = {
      from: 'docs',
      to: 'frontend',
      kind: 'note',
      body: 'ready',
      extra: { priority },
      ...silent,
    }
    return sendMessage(bus, draft).message.id
  }
  const activity = ({ bus }: World) => believedState(bus.home, 'frontend', bus.processes)?.activity
  const changed = ({ bus }: World) => ({ file_path: bus.home.ring('frontend'), event: 'change' })
  const ATTENDED = { CLAUDE_CODE_ENTRYPOINT: 'cli' }
  const hook = (
    { agent }: World,
    word: string,
    payload: unknown = {},
    env: Record<string, string> = {},
  ) => agent.hook(word, payload, env)
  const prompt = (here: World, prompt_id: string) =>
    hook(here, 'user-prompt-submit', { prompt: 'hello', prompt_id })
  /** A session in the middle of a turn of the human's. */
  async function busy(): Promise<World> {
    const { bus, agents } = await agentsOn('frontend')
    const here = { bus, agent: agents[0] as TestAgent }
    await prompt(here, 'p1')
    return here
  }
  /**
   * The end of a turn: both hooks of it at once, as Claude Code runs them. Gives what the one
   * answers that rings.
   */
  async function stop(here: World, payload: unknown = {}): Promise<unknown> {
    const [rung] = await Promise.all([
      hook(here, 'stop-ring', payload),
      hook(here, 'stop', payload),
    ])
    return rung
  }

  test('rings once when the turn is over, and not in it', async () => {
    const here = await busy()
    const ids = [send(here), send(here)]
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
    expect(readRings(here.bus.home, 'frontend').groups).toEqual([])
    expect(await stop(here)).toEqual(rang('2 new messages from @backend. Check inbox.'))
    expect(eventsOf(here.bus.home, 'rung')).toMatchObject([{ ids, doorbell: 'native' }])
    expect(await stop(here)).toEqual(SILENT)
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
  })

  test('rings in it where it is urgent, by itself; the rest when the turn is over', async () => {
    const here = await busy()
    const normal = send(here)
    const urgent = sendAs(here, 'urgent')
    expect(await hook(here, 'bell', changed(here))).toEqual(
      rang('New message from @docs. Check inbox.'),
    )
    expect(await stop(here)).toEqual(rang(ONE))
    expect(eventsOf(here.bus.home, 'rung').map(({ ids }) => ids)).toEqual([[urgent], [normal]])
  })

  test('waits while a dialog is open, but for what is urgent', async () => {
    const here = await busy()
    await hook(here, 'permission-request')
    send(here)
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
    sendAs(here, 'urgent')
    expect(await hook(here, 'bell', changed(here))).toEqual(
      rang('New message from @docs. Check inbox.'),
    )
  })

  test('never rings where it is quiet, and is told with the next words of the human', async () => {
    const here = await busy()
    sendAs(here, 'quiet')
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
    expect(await stop(here)).toEqual(SILENT)
    expect(await hook(here, 'bell', changed(here))).toEqual(SILENT)
    expect((await prompt(here, 'p2')).stdout).toContain('1 message is unread from @docs')
  })

  test('is left to the next turn’s end, should that turn have begun already', async () => {
    const here = await busy()
    send(here)
    const begins = (ms: number) =>
      changeState(here.bus, 'frontend', (state) => {
        const at = new Date(ms).toISOString()
        return state && { ...state, since: at, begun: at }
      })
    begins(Date.now() + 60_000)
    expect(await hook(here, 'stop-ring')).toEqual(SILENT)
    begins(Date.now())
    expect(await stop(here)).toEqual(rang(ONE))
  })

  test('rings at the end where a hook of the turn notes late that a dialog was closed', async () => {
    const here = await busy()
    send(here)
    const late = new Date(Date.now() + 60_000).toISOString()
    changeState(here.bus, 'frontend', (state) => state && { ...state, since: late })
    expect(await stop(here)).toEqual(rang(ONE))
  })

  test.each([
    ['sdk-cli', 'doorbell'],
    ['cli', 'human'],
  ])(
    'begins a turn by itself where no prompt will tell of one (%s)',
    async (CLAUDE_CODE_ENTRYPOINT, began) => {
      const here = await busy()
      send(here)
      const ends = () => {
        const run = (word: string) =>
          hook(here, word, { prompt_id: 'p1' }, { CLAUDE_CODE_ENTRYPOINT })
        return Promise.all([run('stop-ring'), run('stop')])
      }
      await ends()
      expect(readState(here.bus.home, 'frontend')).toMatchObject({
        activity: began === 'doorbell' ? 'busy' : 'idle',
        turn: { began },
      })
      await ends()
      expect(activity(here)).toBe('idle')
    },
  )

  test('rings at the end where the hook beside it has failed', async () => {
    const here = await busy()
    send(here)
    expect(await hook(here, 'stop-ring')).toEqual(rang(ONE))
  })

  test('does not ring at the end of a subagent, nor where the session has chosen another doorbell', async () => {
    const here = await busy()
    send(here)
    expect(await hook(here, 'stop-ring', { agent_id: 'a1' })).toEqual(SILENT)
    const { frontend } = readSessions(here.bus.home)
    writeFileSync(
      here.bus.home.sessions,
      JSON.stringify({ frontend: { ...frontend, doorbell: 'tmux' } }),
    )
    expect(await stop(here)).toEqual(SILENT)
  })

  test('is not rung at a compaction, which happens in the middle of a turn', async () => {
    const here = await busy()
    send(here)
    await hook(here, 'session-start', { source: 'compact', session_id: 'one' })
    expect(await hook(here, 'start-ring')).toEqual(SILENT)
  })

  describe('and the user interrupts it, of which no hook tells:', () => {
    const later = () => new Date(Date.now() + 5).toISOString()
    /**
     * What Claude Code writes beside its hooks: the record of the conversation, and what it says of
     * itself.
     */
    async function interrupted(files: () => { record?: object; told?: object }) {
      const here = await busy()
      const { record, told } = files()
      const directory = tempDirectory()
      const transcript_path = join(directory, 'projects/work/one.jsonl')
      for (const path of ['projects/work', 'sessions'])
        mkdirSync(join(directory, path), { recursive: true })
      writeFileSync(transcript_path, record === undefined ? '' : `${JSON.stringify(record)}\n`)
      if (told)
        writeFileSync(
          join(directory, 'sessions', `${here.agent.ref.pid}.json`),
          JSON.stringify(told),
        )
      send(here)
      return { here, payload: { ...changed(here), transcript_path } }
    }
    const mark = (timestamp: string) => ({
      type: 'user',
      timestamp,
      message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    })

    test('what comes after it rings: the record of the conversation tells', async () => {
      const { here, payload } = await interrupted(() => ({ record: mark(later()) }))
      expect(await hook(here, 'bell', payload)).toEqual(rang(ONE))
    })

    test('what comes after it rings, where the host writes that seconds later', async () => {
      const { here, payload } = await interrupted(() => ({}))
      const write =
        'const [path, line] = process.argv.slice(1); setTimeout(() => fs.writeFileSync(path, line), 2000)'
      const line = JSON.stringify(mark(later()))
      const writer = spawn(process.execPath, ['-e', write, payload.transcript_path, `${line}\n`])
      const written = new Promise((resolve) => writer.on('close', resolve))
      expect(await hook(here, 'bell', payload, ATTENDED)).toEqual(rang(ONE))
      await written
    })

    test('what comes after it rings, where the hook of a dialog notes it after the Escape', async () => {
      const { here, payload } = await interrupted(() => ({ record: mark(later()) }))
      await until(
        'a later time',
        () => Date.now() > Date.parse(readState(here.bus.home, 'frontend')?.since ?? '') + 10,
      )
      await hook(here, 'permission-request', { tool_name: 'Bash', prompt_id: 'p1' })
      expect(activity(here)).toBe('asking')
      expect(await hook(here, 'bell', payload)).toEqual(rang(ONE))
    })

    test('a bell that waits for that ends with the next one', async () => {
      const { here, payload } = await interrupted(() => ({}))
      const first = hook(here, 'bell', payload, ATTENDED)
      const isOver = first.then(() => true)
      const ringAgain = async () => {
        ring(here.bus, 'frontend')
        return Promise.race([isOver, new Promise<false>((resolve) => setImmediate(resolve, false))])
      }
      await until('the end of the first bell', ringAgain, 6000)
      expect(await first).toEqual(SILENT)
    })

    test('what came before it does not ring, however soon that is', async () => {
      const { here, payload } = await interrupted(() => ({
        record: mark(new Date(Date.now() + 60_000).toISOString()),
      }))
      expect(await hook(here, 'bell', payload)).toEqual(SILENT)
    })

    test('what comes after it rings: where no word had been said, what the host says of itself tells', async () => {
      const { here, payload } = await interrupted(() => ({
        told: { status: 'idle', statusUpdatedAt: Date.now() + 5 },
      }))
      expect(await hook(here, 'bell', payload)).toEqual(rang(ONE))
    })

    test.each([
      ['nothing', {}],
      ['an interruption of before', { record: mark('2026-01-01T00:00:00.000Z') }],
      ['a host that was idle before', { told: { status: 'idle', statusUpdatedAt: 5 } }],
      ['a host that is busy', { told: { status: 'busy', statusUpdatedAt: Date.now() + 60_000 } }],
      ['a host that tells no time', { told: { status: 'idle' } }],
    ])('not so with %s', async (_, files) => {
      const { here, payload } = await interrupted(() => files)
      expect(await hook(here, 'bell', payload)).toEqual(SILENT)
    })

    test('the turn after it is a turn again', async () => {
      const { here, payload } = await interrupted(() => ({ record: mark(later()) }))
      await until(
        'a later time',
        () => Date.now() > Date.parse(readState(here.bus.home, 'frontend')?.since ?? '') + 10,
      )
      await prompt(here, 'p2')
      send(here, 'docs')
      expect(await hook(here, 'bell', payload)).toEqual(SILENT)
    })
  })
})
