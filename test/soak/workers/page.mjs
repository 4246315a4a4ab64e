import { machine } from '../summary.mjs'

/** At most so many broken promises are shown. */
const SHOWN = 20

/**
 * The figures of a run, as a part of a page.
 * @param {any} run
 */
export function renderPage({
  workers,
  asks,
  pauseMs,
  seed,
  seconds,
  waited,
  unanswered,
  judged,
  killed,
  memory,
  wrong,
}) {
  const sorted = waited.toSorted(
    (/** @type {number} */ one, /** @type {number} */ two) => one - two,
  )
  const at = (/** @type {number} */ part) =>
    `${Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)} ms`
  const mean = (
    /** @type {{ rss: number, pss: number }[]} */ all,
    /** @type {'rss' | 'pss'} */ what,
  ) => (all.reduce((sum, one) => sum + one[what], 0) / Math.max(1, all.length)).toFixed(0)
  const mb = (/** @type {{ rss: number, pss: number }[]} */ all) =>
    `${mean(all, 'rss')} MB, ${mean(all, 'pss')} MB of its own`
  const refused = unanswered.filter((/** @type {string} */ said) =>
    said.includes('nothing was asked'),
  ).length
  return [
    machine(),
    '',
    `\`npm run soak:workers -- --workers ${workers} --asks ${asks} --pause ${pauseMs} --seed ${seed}\``,
    '',
    '| | |',
    '|---|---|',
    `| asks, in so many seconds | ${workers * asks}, ${seconds.toFixed(0)} |`,
    `| workers, clients and supervisors killed | ${killed.worker}, ${killed.client}, ${killed.supervisor} |`,
    `| asks that were refused, and sent again once the worker ran | ${refused} |`,
    `| asks whose command ended without the answer, which came all the same | ${unanswered.length - refused} |`,
    `| asks with exactly one answer, delivered once | ${judged.once} |`,
    `| of them given up after three tries, which the answer says | ${judged.gaveUp} |`,
    `| of them answered by a turn that was begun again | ${judged.again} |`,
    `| prompts to the clients | ${judged.prompts} |`,
    `| an ask that got its answer took: median, 95 of 100, longest | ${at(0.5)}, ${at(0.95)}, ${at(1)} |`,
    `| memory of the supervisor at the end | ${mb(memory.supervisor)} |`,
    `| memory of a worker's own process, without its client | ${mb(memory.workers)} |`,
    `| no answer, two answers, a wrong one, two clients on a conversation, left behind | ${wrong.length === 0 ? '**none**' : `**${wrong.length}**`} |`,
    ...wrong.slice(0, SHOWN).map((/** @type {string} */ line) => `\n- ${line}`),
  ].join('\n')
}
