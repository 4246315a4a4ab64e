import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { codexWorld } from './codex.ts'
import type { Answer, Asked } from './responses.ts'

const RUNS = Number(process.env.AGENT_CHAT_E2E_RUNS ?? 10)
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'agents.md')
const WORDS = 'one two three four five six'

function model({ prompt, results }: Asked): Answer {
  if (results.length > 0) return { say: 'done' }
  if (/Check inbox/.test(prompt)) return { run: 'agent-chat inbox' }
  if (/ASK/.test(prompt)) return { run: 'true', asked: true }
  return /SLOW/.test(prompt) ? { say: WORDS, ms: 1500 } : { say: 'ok' }
}

type World = Awaited<ReturnType<typeof codexWorld>>
type Case = {
  name: string
  /** What the session is doing as the message is sent. */
  before: (bob: Pane, world: World) => Promise<unknown>
  /** What a person does then, if the message has to wait for it; the wake counts from there. */
  free?: (bob: Pane) => Promise<unknown>
  /** Whether all is as it was. */
  unharmed: (bob: Pane, heard: Asked) => Promise<boolean>
}

const isIdle = (bob: Pane) => bob.waitFor(/› Ask Codex/)
const shows = (what: RegExp) => async (bob: Pane) => what.test(await bob.screen())
const CASES: Case[] = [
  {
    name: 'idle, nothing has come for a while',
    before: (_, { env }) =>
      eventually('the watcher to rest', () =>
        existsSync(join(env.AGENT_CHAT_HOME ?? '', 'pids', '@watcher.rest')),
      ),
    unharmed: async () => true,
  },
  { name: 'idle, just after a message', before: isIdle, unharmed: async () => true },
  {
    name: 'a draft in the box',
    before: (bob) => bob.type('a draft').then(() => bob.waitFor(/› a draft/)),
    unharmed: async (bob) => {
      const kept = /› a draft/.test(await bob.waitFor(/• done[\s\S]*› /))
      await bob.key('C-u')
      return kept
    },
  },
  {
    name: 'an answer is being streamed',
    before: (bob) => bob.submit('SLOW please').then(() => bob.waitFor(/one two/)),
    unharmed: async (_, { text }) => text.includes(WORDS),
  },
  {
    name: 'a dialog is open, then refused with Escape',
    before: (bob) =>
      bob
        .submit('ASK please')
        .then(() => bob.waitFor(/Press enter to confirm|Yes, proceed|May I\?/)),
    free: async (bob) => {
      await bob.key('Escape')
      await bob.waitFor(/› Ask Codex/)
    },
    unharmed: async () => true,
  },
  {
    name: 'Escape in a turn, then a message',
    before: async (bob) => {
      await bob.submit('SLOW again')
      await bob.waitFor(/again[\s\S]*one two/)
      await bob.key('Escape')
      await bob.waitFor(/interrupted/)
    },
    unharmed: shows(/interrupted/),
  },
]

test('Codex: each case again and again', async () => {
  const world = await codexWorld(model)
  await world.chat('setup', '--agent', 'codex', '--yes')
  const bob = await world.start('bob')
  const rows = CASES.map(({ name }) => ({ name, lost: 0, twice: 0, harmed: 0, ms: [] as number[] }))
  for (let round = 0; round < RUNS; round += 1)
    for (const [at, one] of CASES.entries()) {
      const row = rows[at]
      if (row) await play(one, `round ${round}, case ${at}.`, bob, world, row)
    }
  const table = tableOf(rows)
  console.log(`\n${table}\n`)
  if (RUNS >= 10) await write(table)
  expect(rows.map(({ lost, twice, harmed }) => lost + twice + harmed)).toEqual(rows.map(() => 0))
})

/** By the id of the message: its time in microseconds. */
function sentAt(printed: string): number {
  const [, day = '', hours = '', minutes = '', seconds = ''] =
    /(\d{8})T(\d\d)(\d\d)(\d\d\.\d{3})\d*Z-from-lead/.exec(printed) ?? []
  const date = day.replace(/(....)(..)(..)/, '$1-$2-$3')
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`)
}

/** One for each round: a session that sends more than 20 messages in 10 minutes is held. */
function senderOf(text: string): string {
  return `lead-${/\d+/.exec(text)?.[0]}`
}

type Row = { name: string; lost: number; twice: number; harmed: number; ms: number[] }

async function play(one: Case, text: string, bob: Pane, world: World, row: Row): Promise<void> {
  await one.before(bob, world)
  const from = world.model.asked.length
  const sent = await world.chat('send', '@bob', text, '--as', senderOf(text), '--json')
  let since = sentAt(sent)
  if (one.free) {
    const early = world.model.asked.slice(from).some(({ prompt }) => /Check inbox/.test(prompt))
    if (early) row.harmed += 1
    since = Date.now()
    await one.free(bob)
  }
  const isRead = ({ results }: Asked) => results.some((result) => result.includes(text))
  const heard = await world.model.waitFor(text, isRead, from).catch(() => undefined)
  if (!heard) {
    row.lost += 1
    return
  }
  const rings = world.model.asked
    .slice(from)
    .filter(({ prompt, results }) => /Check inbox/.test(prompt) && results.length === 0)
  if (rings.length > 1) row.twice += 1
  if (rings[0]) row.ms.push(rings[0].at - since)
  if (!(await one.unharmed(bob, heard))) row.harmed += 1
  await bob.waitFor(/• done[\s\S]*› /)
  await eventually('the end of the turn', async () => /@bob .*idle/.test(await world.chat('who')))
}

function tableOf(rows: Row[]): string {
  const part = (ms: number[], of: number) =>
    [...ms].sort((a, b) => a - b)[Math.ceil(ms.length * of) - 1] ?? '-'
  const lines = rows.map(({ name, lost, twice, harmed, ms }) =>
    [name, RUNS, lost, twice, harmed, part(ms, 0.5), part(ms, 0.95)].join(' | '),
  )
  const head = 'case | runs | lost | twice | harmed | p50 ms | p95 ms'
  return [head, head.replace(/[^|]+/g, '---'), ...lines].map((line) => `| ${line} |`).join('\n')
}

async function write(table: string): Promise<void> {
  const [begin, end] = ['<!-- measured: begin -->', '<!-- measured: end -->']
  const where = `Codex 0.169.0, Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}.`
  const text = await readFile(PAGE, 'utf8')
  const parts = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))]
  await writeFile(PAGE, parts.join(`${begin}\n${where}\n\n${table}\n`))
}
