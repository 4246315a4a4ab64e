import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sweepHome } from '../../doctor/sweep.ts'
import { systemProcesses } from '../../system/processes.ts'
import { ROOT, type Run, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../../testing/home.ts'
import type { Home } from '../home.ts'
import { fateOf } from './fate.ts'

/**
 * Every step at which the program can be ended by `AGENT_CHAT_FAULT`, as its source names them.
 * Those of prune and rename are gone through in their own tests.
 */
const STEPS = [
  'ask:locked',
  'ask:noted',
  'inbox:moved',
  'inbox:printed',
  'index:built',
  'join:registered',
  'leave:unregistered',
  'prune:indexed',
  'prune:removed',
  'prune:rotated',
  'prune:rotating',
  'registry:locked',
  'registry:replaced',
  'registry:written',
  'rename:inbox',
  'rename:marks',
  'rename:moved',
  'rename:recorded',
  'rename:registered',
  'rename:written',
  'send:indexed',
  'send:linked',
  'send:published',
  'send:recorded',
  'send:rung',
  'send:synced',
  'send:written',
]

const send = (home: Home, body: string, fault?: string) =>
  runCli(['send', '@frontend', body, '--as', 'backend'], {
    home: home.root,
    ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
  })

async function bodiesRead(home: Home): Promise<string[]> {
  const { stdout } = await runCli(['inbox', 'frontend', '--json'], { home: home.root })
  return JSON.parse(stdout).messages.map(({ body }: { body: string }) => body)
}

function died(run: Run): void {
  expect({ signal: run.signal, stdout: run.stdout }).toEqual({ signal: 'SIGKILL', stdout: '' })
}

test('every step in the source that can be crashed at is tested here', () => {
  const sources = readdirSync(`${ROOT}/src/bus`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `bus/${file}`)
    .concat('session/join.ts', 'session/leave.ts')
    .map((file) => readFileSync(`${ROOT}/src/${file}`, 'utf8'))
  const steps = sources.flatMap((text) =>
    [...text.matchAll(/faultPoint\('([^']+)'\)/g)].map(([, step]) => step),
  )
  expect([...new Set(steps)].sort()).toEqual(STEPS)
})

describe('a sender killed before its message is in the inbox', () => {
  test.each(['send:written', 'send:published', 'send:indexed'])(
    'at %s: nothing was sent, and nothing is half there',
    async (step) => {
      const home = tempHome('backend', 'frontend')
      died(await send(home, 'lost', step))
      expect(filesIn(home.inbox('frontend'))).toEqual([])
      expect(eventsOf(home, 'sent')).toEqual([])
      expect(existsSync(home.ring('frontend'))).toBe(false)
      const visible = filesIn(home.messages).filter((file) => !file.startsWith('.'))
      expect(visible).toHaveLength(step === 'send:written' ? 0 : 1)
      for (const file of visible)
        expect(readFileSync(`${home.messages}/${file}`, 'utf8')).toMatch(/\n---\nlost\n$/)
      expect((await send(home, 'next')).code).toBe(0)
      expect(await bodiesRead(home)).toEqual(['next'])
    },
  )
})

describe('an answer killed while it is noted in its conversation, before it is in the inbox', () => {
  const doneArgs = (id: string) => {
    const args = ['send', '@backend', 'it pages', '--kind', 'result', '--reply-to', id]
    return [...args, '--as', 'frontend']
  }
  /** A task from backend that frontend was about to end. */
  const doneKilled = async (step: string, before: (home: Home) => void = () => {}) => {
    const home = tempHome('backend', 'frontend')
    const task = await runCli(['task', '@frontend', 'page the list', '--as', 'backend', '--json'], {
      home: home.root,
    })
    const { id } = JSON.parse(task.stdout)
    before(home)
    died(await runCli(doneArgs(id), { home: home.root, env: { AGENT_CHAT_FAULT: step } }))
    return { home, id }
  }
  const look = async (home: Home, ...args: string[]) =>
    JSON.parse((await runCli([...args, '--json'], { home: home.root })).stdout)
  const bodiesOf = (messages: { body: string }[]) => messages.map(({ body }) => body)
  const sweep = (home: Home) => {
    const now = () => Date.now() + 120_000
    return sweepHome(
      { home, clock: { now, micros: () => now() * 1000 }, processes: systemProcesses() },
      { mend: true },
    )
  }

  const sentOnceBy = async (home: Home, id: string) => {
    await sweep(home)
    expect(bodiesOf((await look(home, 'inbox', 'backend')).messages)).toEqual(['it pages'])
    expect(bodiesOf((await look(home, 'thread', id)).messages)).toEqual([
      'page the list',
      'it pages',
    ])
    expect((await look(home, 'tasks')).tasks).toMatchObject([
      { id, state: 'done', result: { body: 'it pages' } },
    ])
    expect(fateOf(home, id, 'frontend').stages.map(({ stage }) => stage)).toEqual([
      'sent',
      'answered',
    ])
    expect(filesIn(home.openTasks)).toEqual([])
    expect(await sweep(home)).toEqual([])
  }

  test('at send:indexed: who reads the conversation sees it, and it is not sent; doctor sends it', async () => {
    const { home, id } = await doneKilled('send:indexed')
    expect(bodiesOf((await look(home, 'thread', id)).messages)).toEqual([
      'page the list',
      'it pages',
    ])
    expect(filesIn(home.inbox('backend'))).toEqual([])
    expect(fateOf(home, id, 'frontend').stages.map(({ stage }) => stage)).toEqual(['sent'])
    expect(filesIn(home.openTasks)).toEqual([id])
    await sentOnceBy(home, id)
  })

  test('at index:built, while the lists are made: nothing was sent, and the next one makes them', async () => {
    const clear = ({ threads }: Home) => rmSync(threads, { recursive: true, force: true })
    const { home, id } = await doneKilled('index:built', clear)
    expect(existsSync(home.threads)).toBe(false)
    const left = () => readdirSync(home.root).filter((name) => name.endsWith('.tmp'))
    expect(left()).toEqual([expect.stringMatching(/^threads\.\d+\.tmp$/)])
    expect(bodiesOf((await look(home, 'thread', id)).messages)).toEqual(['page the list'])
    expect(filesIn(home.messages)).toHaveLength(1)
    await sweep(home)
    expect(left()).toEqual([])
    expect((await runCli(doneArgs(id), { home: home.root })).code).toBe(0)
    await sentOnceBy(home, id)
  })
})

describe('an ask killed before it has sent', () => {
  test.each(['ask:locked', 'ask:noted'])(
    'at %s: nothing was asked, and the next one is not held up',
    async (step) => {
      const home = tempHome('backend', 'frontend')
      const args = ['ask', '@frontend', 'why?', '--as', 'backend', '--timeout', '1', '--json']
      died(await runCli(args, { home: home.root, env: { AGENT_CHAT_FAULT: step } }))
      expect(filesIn(home.messages)).toEqual([])
      expect(filesIn(home.asks)).toHaveLength(1)
      expect(JSON.parse((await runCli(args, { home: home.root })).stdout)).toMatchObject({
        outcome: 'timed out',
      })
      expect(filesIn(home.asks)).toEqual([])
      expect(filesIn(home.inbox('frontend'))).toHaveLength(1)
    },
  )
})

describe('a sender killed after its message is in the inbox', () => {
  test.each([
    ['send:linked', 0, false],
    ['send:synced', 0, false],
    ['send:recorded', 1, false],
    ['send:rung', 1, true],
  ])('at %s: it is delivered, once and whole', async (step, recorded, rung) => {
    const home = tempHome('backend', 'frontend')
    died(await send(home, 'delivered', step))
    expect(eventsOf(home, 'sent')).toHaveLength(recorded)
    expect(existsSync(home.ring('frontend'))).toBe(rung)
    expect(filesIn(home.messages)).toEqual(filesIn(home.inbox('frontend')))
    expect(await bodiesRead(home)).toEqual(['delivered'])
    expect(await bodiesRead(home)).toEqual([])
    expect((await send(home, 'next')).code).toBe(0)
    expect(await bodiesRead(home)).toEqual(['next'])
  })
})

describe('a reader killed', () => {
  const readKilled = async (step: string) => {
    const home = tempHome('backend', 'frontend')
    for (const body of ['one', 'two']) expect((await send(home, body)).code).toBe(0)
    const run = await runCli(['inbox', 'frontend'], {
      home: home.root,
      env: { AGENT_CHAT_FAULT: step },
    })
    expect(run.signal).toBe('SIGKILL')
    expect(run.stdout).toContain('one')
    expect(run.stdout).not.toContain('two')
    return home
  }

  test('at inbox:printed, between print and move: the message is shown again, and no lock stays', async () => {
    const home = await readKilled('inbox:printed')
    expect(await bodiesRead(home)).toEqual(['one', 'two'])
    expect(filesIn(home.inbox('frontend'))).toEqual([])
  })

  test('at inbox:moved, after the move: the message is in read, the others are still unread', async () => {
    const home = await readKilled('inbox:moved')
    const [first] = filesIn(home.readDirectory('frontend'))
    expect(readFileSync(home.read('frontend', basename(first ?? '', '.md')), 'utf8')).toContain(
      'one',
    )
    expect(await bodiesRead(home)).toEqual(['two'])
    expect(filesIn(home.readDirectory('frontend'))).toHaveLength(2)
    expect(filesIn(home.inbox('frontend'))).toEqual([])
  })
})

describe('the registry', () => {
  const names = async (home: Home) =>
    Object.keys(JSON.parse(readFileSync(home.sessions, 'utf8')))
      .sort()
      .join(' ')
  const join = (home: Home, name: string, fault?: string) =>
    runCli(['join', name, '--no-watch'], {
      home: home.root,
      ...(fault === undefined ? {} : { env: { AGENT_CHAT_FAULT: fault } }),
    })

  const STATES: [step: string, left: string][] = [
    ['registry:locked', 'frontend'],
    ['registry:written', 'frontend'],
    ['registry:replaced', 'backend frontend'],
    ['join:registered', 'backend frontend'],
  ]

  const joinKilled = async (home: Home, step: string, left: string) => {
    died(await join(home, 'backend', step))
    expect(await names(home)).toBe(left)
    expect(await join(home, 'docs')).toMatchObject({ code: 0, stderr: '' })
    expect(await names(home)).toBe([...left.split(' '), 'docs'].sort().join(' '))
    expect(await join(home, 'backend')).toMatchObject({ code: 0, stderr: '' })
  }

  test(`a join killed at ${STATES.map(([step]) => step).join(', ')} leaves it whole, and the next join works`, async () => {
    // At once, since each next join waits until the killed one's lock has gone stale.
    await Promise.all(
      STATES.map(([step, left]) => ({ step, left, home: tempHome('frontend') })).map(
        ({ home, step, left }) => joinKilled(home, step, left),
      ),
    )
  })

  test('a leave killed at leave:unregistered has left, and its messages stay', async () => {
    const home = tempHome('backend', 'frontend')
    await send(home, 'kept')
    died(
      await runCli(['leave', 'frontend'], {
        home: home.root,
        env: { AGENT_CHAT_FAULT: 'leave:unregistered' },
      }),
    )
    expect(await names(home)).toBe('backend')
    expect(await bodiesRead(home)).toEqual(['kept'])
  })
})
