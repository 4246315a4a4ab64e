import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Whose } from '../../origins/recording.ts'
import { pinnedVersion } from '../harness/install.ts'
import { ROWS } from './rows.ts'
import type { Cell, Outcome } from './stage.ts'

/** What came of one cell, once. */
export type Found = Cell & { row: string; whose: Whose; outcome: Outcome | 'not played' }

/** What may come of a change that a message asked for, where guardrails do not run. */
export type End = 'ran' | 'asked' | 'not woken'

/** What came of one such way, once. */
export type Ended = { row: string; end: End | 'not played' }

type Part = 'alone' | 'busy' | 'unguarded'

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'trust.md')
const COLUMNS = [
  ['panel, after yours', { panel: true, before: 'open' }],
  ['panel, after a message', { panel: true, before: 'closed' }],
  ['no panel, after yours', { panel: false, before: 'open' }],
  ['no panel, after a message', { panel: false, before: 'closed' }],
  ['no panel, the first', { panel: false, before: 'none' }],
] as const

/** What was found, a line for each cell, in the order of the rows. */
export function foundIn(path: string): Found[] {
  const found: Found[] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const place = ({ row, size }: Found) => ROWS.findIndex(({ name }) => name === row) * 1e9 + size
  return found.sort((a, b) => place(a) - place(b))
}

export function endedIn(path: string): Ended[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Whether this turn has to be open: a change in it runs without a question. */
export function isYours({ whose, before }: Pick<Found, 'whose' | 'before'>): boolean {
  return whose === 'you' || (whose === 'client' && before === 'open')
}

/** Writes what was found, alone or beside busy loops; the page keeps the other part. */
export function writePage(found: readonly Found[], part: 'alone' | 'busy'): Promise<void> {
  return writePart(part, tableOf(found))
}

/** Writes what came of the ways in which guardrails do not run. */
export function writeUnguarded(
  ended: readonly Ended[],
  rows: readonly { name: string; ends: readonly End[] }[],
): Promise<void> {
  const lines = rows.map(({ name, ends }) => {
    const own = ended.filter(({ row }) => row === name)
    const count = (end: Ended['end']) => own.filter((one) => one.end === end).length
    const words = (['ran', 'asked', 'not woken', 'not played'] as const).flatMap((end) =>
      count(end) === 0 ? [] : [`${count(end)} ${end}`],
    )
    return `| ${name} | ${ends.join(' or ')} | ${words.join(', ') || '–'} |`
  })
  const played = ended.filter(({ end }) => end !== 'not played')
  const ran = played.filter(({ end }) => end === 'ran').length
  return writePart(
    'unguarded',
    `**${ran} changes ran without a question**, in ${played.length} sessions.\n
| what happens | should | came |\n| --- | --- | --- |\n${lines.join('\n')}\n`,
  )
}

async function writePart(part: Part, now: string): Promise<void> {
  const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const partOf = (name: Part) =>
    new RegExp(`<!-- ${name}: begin -->\n(.*?)<!-- ${name}: end -->`, 's').exec(before)?.[1] ??
    'Not played yet.\n'
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' })
  const played = `${now}\nPlayed at commit \`${commit.trim()}\`.\n`
  const text = (name: Part) => (name === part ? played : partOf(name))
  writeFileSync(
    PAGE,
    `# Whose turn it is, on the real client

Written by \`npm run evidence:trust\`, on Claude Code ${await pinnedVersion()} with a scripted model that does at once what
any prompt asks for: it makes a file, which nothing but our guardrails asks about. Each cell says in how many turns the
file was made without a question (*open*), and in how many a question came first (*asked*).

A turn that you begin has to be open. So has one that the client begins itself to go on with work of yours, if the turn
before it was open. In every other turn the question has to come. *Yours open* and *others open* add that up. Where
words come in the middle of a turn, the column names that turn, and not the one before. *panel* is the plugin
\`agent-chat-room\`.

## Alone

<!-- alone: begin -->
${text('alone')}<!-- alone: end -->

## Beside two busy loops

<!-- busy: begin -->
${text('busy')}<!-- busy: end -->

## Where guardrails do not run

A message asks for a change in a session whose guardrails somebody has switched off, or whose hooks cannot start.
*asked*: the client's dialog is up, or the call was refused. *not woken*: the message waits, and its sender is told why.

<!-- unguarded: begin -->
${text('unguarded')}<!-- unguarded: end -->

## Not played

- A prompt of another plugin's mod, \`asyncRewake\` text of another plugin, and a record that is switched off. Hooks
  without a client play them: \`src/hooks/origins.test.ts\`.
- The second time that a schedule fires. \`npm run e2e -- gate/origins\` plays it.
- The other agents. \`npm run e2e:agents\` plays your turn and a message's, for each.
`,
  )
}

function tableOf(found: readonly Found[]): string {
  const played = found.filter(({ outcome }) => outcome !== 'not played')
  const opened = played.filter((one) => !isYours(one) && one.outcome === 'open').length
  const closed = played.filter((one) => isYours(one) && one.outcome === 'closed').length
  const missing = found.length - played.length
  const head = ['prompt', 'bytes', ...COLUMNS.map(([title]) => title), 'yours open', 'others open']
  const keys = new Set(found.map(({ row, size }) => `${row} | ${size}`))
  const lines = [...keys].map((key) =>
    rowOf(found.filter(({ row, size }) => key === `${row} | ${size}`)),
  )
  const [one] = loadavg()
  return `**${opened} turns opened by anybody but you, ${closed} of yours closed**, in ${played.length} turns${
    missing === 0 ? '' : `; ${missing} more were not played to their end`
  }. Load at the end: ${one?.toFixed(1)}, on ${availableParallelism()} cores.

${[head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')}
`
}

function rowOf(runs: readonly Found[]): string[] {
  const [{ row, size } = { row: '', size: 0 }] = runs
  const cells = COLUMNS.map(([, { panel, before }]) => {
    const own = runs.filter((one) => one.panel === panel && one.before === before)
    const words = [
      ['open', 'open'],
      ['closed', 'asked'],
      ['not played', 'not played'],
    ].flatMap(([outcome, word]) => {
      const count = own.filter((one) => one.outcome === outcome).length
      return count === 0 ? [] : [`${count} ${word}`]
    })
    return words.join(', ') || '–'
  })
  const openOf = (yours: boolean) => {
    const own = runs.filter((one) => isYours(one) === yours && one.outcome !== 'not played')
    const open = own.filter(({ outcome }) => outcome === 'open').length
    return own.length === 0 ? '–' : `${open} of ${own.length}`
  }
  return [row, size === 0 ? '–' : size.toLocaleString('en'), ...cells, openOf(true), openOf(false)]
}
