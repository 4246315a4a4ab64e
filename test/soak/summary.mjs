import { execFileSync } from 'node:child_process'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { mean } from './growth.mjs'

/** So many of the lines that say what is wrong are shown. */
const SHOWN = 40

/**
 * What came of it, as Markdown.
 * @param {any} results
 */
export function renderSummary({
  sessions,
  messages,
  minutes,
  seed,
  done,
  watchers,
  judged,
  growth,
  samples,
  found,
  wrong,
}) {
  const commandMs = (/** @type {number} */ from, /** @type {number} */ to) =>
    mean(
      done.commandMs
        .filter((/** @type {any} */ { at }) => at >= from && at < to)
        .map((/** @type {any} */ { ms }) => ms),
    ).toFixed(0)
  const cpu = samples.map((/** @type {any} */ one) => one.cpu)
  const cpuPart = (/** @type {number} */ from, /** @type {number} */ to) =>
    ((cpu[to - 1] ?? 0) - (cpu[from - 1] ?? 0)).toFixed(1)
  const third = Math.floor(samples.length / 3)
  const kinds = Object.entries(
    countBy(found.map((/** @type {any} */ one) => one.state ?? one.kind ?? 'something')),
  )
  return [
    machine(),
    '',
    `\`npm run soak -- --sessions ${sessions} --minutes ${minutes} --messages ${messages} --seed ${seed}\``,
    '',
    '| | |',
    '|---|---|',
    `| messages sent | ${done.sent.size} |`,
    `| of them found in the archive and once in their recipient's \`read/\`, whole | ${done.sent.size - wrong.filter((/** @type {string} */ line) => /^(lost|torn|stuck)/.test(line)).length} |`,
    `| reads, and of them killed on their way | ${done.reads}, ${done.killed.length} |`,
    `| messages that a killed read took along, shown to nobody to their end | ${judged.unshown} |`,
    `| commands of their own (\`send\`, \`inbox\`) | ${done.commands} |`,
    `| watchers killed and started again | ${watchers.killed()} |`,
    `| messages rung for | ${judged.rung} |`,
    `| history at the end | ${judged.historyMb.toFixed(1)} MB |`,
    `| what \`doctor\` mended of the killed | ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'nothing'} |`,
    `| lost, torn, shown twice, out of order, stuck, not rung | ${wrong.length === 0 ? '**none**' : `**${wrong.length}**`} |`,
    '',
    '| | first third | second | last | may be | |',
    '|---|---|---|---|---|---|',
    ...growth.map(
      (/** @type {any} */ row) =>
        `| ${row.what} | ${row.first.toFixed(2)} | ${row.second.toFixed(2)} | **${row.last.toFixed(2)}** | ${row.limit.toFixed(2)} | ${row.grows ? 'GROWS' : ''} |`,
    ),
    `| CPU seconds of all watchers | ${cpuPart(0, third)} | ${cpuPart(third, 2 * third)} | ${cpuPart(2 * third, 3 * third)} | | |`,
    `| a \`send\` of its own, ms | ${commandMs(0, 1 / 3)} | ${commandMs(1 / 3, 2 / 3)} | ${commandMs(2 / 3, 2)} | | |`,
    ...wrong.slice(0, SHOWN).map((/** @type {string} */ line) => `\n- ${line}`),
  ].join('\n')
}

/** @param {string[]} words */
function countBy(words) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** The day and the machine of a run. */
export function machine() {
  const day = new Date().toISOString().slice(0, 10)
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const tmux = execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
  return `${day}, ${type()} ${release()} ${arch()}, ${processors}, ${memory}; Node ${process.version}, ${tmux}.`
}
