import { growthOf } from '../growth.mjs'
import { machine } from '../summary.mjs'

/** In a shorter run programs only warm up, and nothing is said of growth. */
const LEAST_MINUTES = 10

/** How much more than in the second third of the run the last may have: noise, far below what a byte kept of each ask would be for long. In MB. */
const NOISE_MB = 0.05

/**
 * What was seen at one look. Memory in MB, after a collection; `entries`: of the home, but for what messages make.
 * @typedef {{ data: number, code: number }} Heap
 * @typedef {{ minute: number, heap: { supervisor: Heap, worker: Heap }, files: number, processes: number, entries: number }} Sample
 */

/** What grows, third by third of the run. @param {Sample[]} samples */
export function judgeWorkers(samples) {
  const row = (
    /** @type {string} */ what,
    /** @type {(one: Sample) => number} */ value,
    /** @type {import('../growth.mjs').Bound} */ bound,
  ) => growthOf(what, samples.map(value), bound)
  const data = { more: NOISE_MB }
  const rows = [
    row('data of the supervisor, MB', ({ heap }) => heap.supervisor.data, data),
    row('data of the worker that stays, MB', ({ heap }) => heap.worker.data, data),
    row('open files of a process', ({ files, processes }) => files / processes, {
      more: 0.5,
      counts: true,
    }),
    row('processes', ({ processes }) => processes, { more: 1, counts: true }),
    row('entries of the home, without messages', ({ entries }) => entries, {
      more: 1,
      counts: true,
    }),
  ]
  return samples.length < LEAST_MINUTES ? rows.map((one) => ({ ...one, grows: false })) : rows
}

/**
 * The figures of a run, as a part of a page.
 * @param {{ counts: { asked: number, answered: number }, samples: Sample[], rows: ReturnType<typeof judgeWorkers>, idle: Record<string, number>, left: number, minutes: string, every: string, median: number }} run
 */
export function renderGrowth({ counts, samples, rows, idle, left, minutes, every, median }) {
  const last = samples.length
  const shown = [1, 5, 10, 20, 30, 40, 50, 60, last].filter(
    (minute, at, all) => minute <= last && all.indexOf(minute) === at,
  )
  const looks = samples.filter(({ minute }) => shown.includes(minute))
  const mb = (/** @type {Heap} */ { data, code }) => `${data.toFixed(2)} + ${code.toFixed(2)}`
  const ms = (/** @type {number | undefined} */ value) => `${(value ?? 0).toFixed(1)} ms`
  return [
    machine(),
    '',
    `\`npm run soak:growth -- --minutes ${minutes} --every ${every}\``,
    '',
    '| | |',
    '|---|---|',
    `| asks, and their right answers | ${counts.asked}, ${counts.answered} |`,
    `| an ask took, median | ${median} ms |`,
    `| processes left after \`down\` | ${left} |`,
    `| CPU of an idle minute: the supervisor, the worker, a Node with one timer of 30 s | ${ms(idle.supervisor)}, ${ms(idle.worker)}, ${ms(idle.bare)} |`,
    '',
    '| after | data + code in use by the supervisor, MB | by the worker that stays, MB | open files, processes, entries |',
    '|---|---|---|---|',
    ...looks.map(
      ({ minute, heap, files, processes, entries }) =>
        `| ${minute} min | ${mb(heap.supervisor)} | ${mb(heap.worker)} | ${files}, ${processes}, ${entries} |`,
    ),
    '',
    '| mean of each third of the run | first | second | last | grows |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ what, first, second, last: third, grows }) =>
        `| ${what} | ${first.toFixed(2)} | ${second.toFixed(2)} | ${third.toFixed(2)} | ${grows ? '**yes**' : 'no'} |`,
    ),
  ].join('\n')
}
