import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { leftOut } from '../../../src/testing/leftOut.ts'
import type { Rule } from '../harness/api.ts'
import { eventually } from '../harness/poll.ts'
import { hears } from '../harness/request.ts'
import { figures, writeFigures } from './figures.ts'
import { type Stage, stageFor } from './stage.ts'

const RING = 'New message from @backend. Check inbox.'
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'room.md')
/** The guardrails hold what comes after 20 messages of one session. */
const TIMES = 9
const SESSIONS = 3
const MINUTE = 60_000

// Minutes long, and about how long things take: npm run e2e:room -- figures, on a quiet machine.
const ROOM = leftOut(process.env.AGENT_CHAT_E2E_ROOM === undefined && 'npm run e2e:room plays it')

describe('what the room takes', ROOM, () => {
  test('times', { timeout: 300_000 }, async () => {
    const rule: Rule = (request) => ({
      blocks: [{ text: 'ok' }],
      holdMs: hears(request, 'SLOW') ? 60_000 : 0,
    })
    const [load, options] = [loadavg()[0], { rule }]
    const stage = await stageFor(options)
    const { band, gone } = await bands(stage)
    const button = await buttons(stage)
    const interrupt = await escapes(await stageFor(options))
    await write('times', load, [
      ['`send` has returned → the band shows it', '1.5 s', figures(band, 'ms')],
      ['`inbox` has returned → the band is gone', '1.5 s', figures(gone, 'ms')],
      ['Enter on a button → the answer is in the inbox', '0.5 s', figures(button, 'ms')],
      ['Escape → the request with the held ring', '1 s', figures(interrupt, 'ms')],
    ])
  })

  test('memory and processor', { timeout: 300_000 }, async () => {
    const without = await sessions('off')
    const [load, more] = [loadavg()[0], await sessions('on')]
    const idle = [...without, ...more]
    await eventually('rest', () => settled(idle), { timeoutMs: 30_000 })
    await delay(10_000)
    const shared = idle.map(({ pid }) => memoryOf(pid, /^Pss:\s+(\d+)/gm))
    const own = idle.map(({ pid }) => memoryOf(pid, /^Private_\w+:\s+(\d+)/gm))
    const [cpu, at] = [idle.map(({ pid }) => cpuOf(pid)), Date.now()]
    await delay(MINUTE)
    const share = idle.map(({ pid }, n) => (100 * (cpuOf(pid) - (cpu[n] ?? 0))) / (Date.now() - at))
    await write('idle', load, [
      ['memory that the room adds to a session (PSS)', '60 MiB', figures(added(shared), 'MiB')],
      ['of it, shared with nobody', '–', figures(added(own), 'MiB')],
      [
        'processor of an idle session with it',
        '1 % of a core',
        figures(share.slice(SESSIONS), '%'),
      ],
      ['the same session without it', '–', figures(share.slice(0, SESSIONS), '%')],
    ])
  })
})

async function bands({ world, pane, chat }: Stage): Promise<{ band: number[]; gone: number[] }> {
  const times = { band: [] as number[], gone: [] as number[] }
  for (let at = 0; at < TIMES; at++) {
    await chat(['send', '@frontend', '-s', `number ${at}`, 'x'], 'backend')
    const sent = Date.now()
    await pane.waitFor(new RegExp(`1 unread · @backend: "number ${at}"`))
    times.band.push(Date.now() - sent)
    await eventually('the ring', () => rings(world.chat) > at || undefined)
    await chat(['inbox'], 'frontend')
    const read = Date.now()
    await pane.waitFor((text) => !/unread/.test(text))
    times.gone.push(Date.now() - read)
  }
  return times
}

async function buttons({ world, pane, chat }: Stage): Promise<number[]> {
  const times: number[] = []
  const inbox = join(world.chat, 'inbox', 'backend')
  const answers = () => readdirSync(inbox).filter((name) => name.endsWith('.md')).length
  for (let at = 0; at < TIMES; at++) {
    const before = answers()
    await chat(['escalate', `Drop ${at}?`, '--option', 'yes', '--option', 'no'], 'backend')
    await pane.waitFor(new RegExp(`Drop ${at}\\? +\\[ yes \\]`))
    await pane.key('C-x', 'Tab')
    // The band has the keys, and the first button the focus.
    await delay(300)
    const pressing = Date.now()
    await pane.key('Enter')
    await eventually('the answer', () => answers() > before || undefined)
    times.push(Date.now() - pressing)
    await pane.waitFor((text) => !text.includes(`asks: Drop ${at}?`))
  }
  return times
}

async function escapes({ world, pane, chat }: Stage): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < TIMES; at++) {
    const before = world.api.requests.length
    await pane.submit(`SLOW ${at}`)
    const began = (request: Parameters<typeof hears>[0]) => hears(request, `SLOW ${at}`)
    await world.api.waitFor('the turn', began, { from: before })
    await chat(['send', '@frontend', `wait ${at}`], 'backend')
    // Longer than the bell of the send looks for the end of the turn.
    await delay(3000)
    const from = world.api.requests.length
    const pressed = Date.now()
    await pane.key('Escape')
    const heard = await world.api.waitFor('the ring', (one) => hears(one, RING), { from })
    times.push(heard.at - pressed)
    await chat(['inbox'], 'frontend')
    await pane.waitFor((text) => !/unread|esc to interrupt/.test(text))
  }
  return times
}

function rings(chat: string): number {
  const history = readFileSync(join(chat, 'history.log'), 'utf8')
  return history.match(/"event":"presented"/g)?.length ?? 0
}

/** Sessions that have had one turn, with their clients' pids. */
async function sessions(room: 'on' | 'off'): Promise<{ pid: number; stage: Stage }[]> {
  const all: { pid: number; stage: Stage }[] = []
  for (let at = 0; at < SESSIONS; at++) {
    const stage = await stageFor({ env: { AGENT_CHAT_ROOM: room }, without: room === 'off' })
    await stage.pane.submit('hello')
    await stage.pane.waitFor(/● ok/)
    const file = JSON.parse(readFileSync(join(stage.world.chat, 'sessions.json'), 'utf8'))
    all.push({ pid: (file.sessions ?? file).frontend.agent.pid, stage })
  }
  return all
}

/** Whether every session has seen the end of its turn. */
function settled(all: { stage: Stage }[]): true | undefined {
  const state = ({ world }: Stage) => join(world.chat, 'state', 'frontend.json')
  const isIdle = (stage: Stage) =>
    JSON.parse(readFileSync(state(stage), 'utf8')).activity === 'idle'
  return all.every(({ stage }) => isIdle(stage)) || undefined
}

/** CPU time of a process in milliseconds: fields 14 and 15 of its stat, in ticks of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The sum of some lines, in MiB. */
function memoryOf(pid: number, lines: RegExp): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...text.matchAll(lines)].reduce((sum, [, kib]) => sum + Number(kib), 0) / 1024
}

/** What each of the second half has more than the first half has on average. */
function added(all: readonly number[]): number[] {
  const base = all.slice(0, SESSIONS).reduce((sum, one) => sum + one, 0) / SESSIONS
  return all.slice(SESSIONS).map((one) => one - base)
}

async function write(part: 'times' | 'idle', load: number | undefined, rows: string[][]) {
  const isKept = process.env.AGENT_CHAT_E2E_ROOM_WRITE !== undefined
  await writeFigures(part, load ?? 0, rows, isKept ? PAGE : undefined)
}
