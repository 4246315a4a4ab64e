import { describe, expect, test } from 'vitest'
import { beginAsk, noteAsk } from '../bus/index/asks.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { shortId } from '../message/shortId.ts'
import { startAsk } from '../testing/asks.ts'
import { runCli } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { changeLedger } from '../trust/sendGate/ledger.ts'

/** @alice has asked @bob these questions; the ledger knows of the last one, as after `ask`. */
function asked(count: number) {
  const bus = tempBus(['alice', 'bob', 'carol'])
  const question = { from: 'alice', to: 'bob', kind: 'question', body: 'which?' }
  const ids = Array.from({ length: count }, () => sendMessage(bus, question).message.id)
  const [first] = ids
  if (ids.length > 1 && first !== undefined) {
    beginAsk(bus, 'alice', 'bob', first)
    noteAsk(bus, { waiter: bus.processes.self(), from: 'alice', to: 'bob', id: first })
  }
  const last = { id: ids.at(-1) ?? '', at: '2026-01-01T00:00:00Z' }
  changeLedger(bus, 'alice', (ledger) => ({ ...ledger, questions: { bob: last } }))
  const as = (name: string) => (args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: name } })
  return { bus, ids, bob: as('bob'), carol: as('carol') }
}

type Bob = (ids: string[]) => string[]
type Row = { what: string; questions?: number; before?: Bob; does: Bob; told: number }

describe('a message to whoever has a question open', () => {
  test.each<Row>([
    { what: 'send', does: () => ['send', '@alice', 'yes'], told: 1 },
    { what: 'two questions', questions: 2, does: () => ['send', '@alice', 'yes'], told: 2 },
    { what: 'a question back', does: () => ['send', '@alice', '--question', 'why?'], told: 1 },
    { what: 'a reply', does: ([id = '']) => ['reply', id, 'yes'], told: 0 },
    {
      what: 'a reply by send',
      does: ([id = '']) => ['send', '@alice', '--reply-to', id, 'y'],
      told: 0,
    },
    {
      what: 'a reply to one of two',
      questions: 2,
      does: ([id = '']) => ['reply', id, 'y'],
      told: 0,
    },
    { what: 'a send to another', does: () => ['send', '@carol', 'yes'], told: 0 },
    {
      what: 'a question that is answered',
      before: ([id = '']) => ['reply', id, 'yes'],
      does: () => ['send', '@alice', 'and one more thing'],
      told: 0,
    },
  ])('$what: $told', async ({ questions = 1, before, does, told }) => {
    const { ids, bob } = asked(questions)
    if (before) expect((await bob(before(ids))).code).toBe(0)
    const { code, stderr } = await bob(does(ids))
    expect(code).toBe(0)
    expect(stderr.match(/agent-chat reply \S+ "…"/g) ?? []).toEqual(
      ids.slice(0, told).map((id) => `agent-chat reply ${shortId(id)} "…"`),
    )
    if (told === 0) expect(stderr).toBe('')
  })

  test('a message of a third session says nothing of it', async () => {
    const { carol } = asked(1)
    expect((await carol(['send', '@alice', 'yes'])).stderr).toBe('')
  })
})

test('ask says that the other side wrote, and what, and says it at the end', async () => {
  const bus = tempBus(['alice', 'bob'])
  const { id, child, said, ended } = await startAsk(bus, 'alice', ['@bob', 'which?'])
  const run = (args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: 'bob' } })
  const sent = await run(['send', '@alice', 'that one'])
  expect(sent.stderr).toContain(`to answer: agent-chat reply ${shortId(id)} "…"\n`)
  const wrote = /sent (\S+) to/.exec(sent.stdout)?.[1] ?? 'nothing'
  await until('ask says so', () => said().includes(`@bob wrote ${wrote}, which does not answer`))
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(code).toBe(130)
  expect(stderr).toMatch(new RegExp(`hint: @bob wrote ${wrote}: agent-chat inbox; .*--resume`))
})
