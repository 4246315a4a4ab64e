import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./measure.mjs').Figures} Figures */
/** @typedef {Omit<Figures, 'ms_per_edit'>} Counts */

const CLIENT = fileURLToPath(new URL('../../test/e2e/claude-version.json', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/evidence/cooperation.md', import.meta.url))

const { version } = JSON.parse(readFileSync(CLIENT, 'utf8'))

/** The figures as a table. @param {Figures} on @param {Figures} off */
export function tableOf(on, off) {
  const rows = [
    ['pairs that conflict, told before the later write', of(on, 'told'), of(off, 'told')],
    ['other pairs, not disturbed', of(on, 'undisturbed'), of(off, 'undisturbed')],
    ['writes lost', on.lost, off.lost],
    ['calls refused twice', on.repeated, off.repeated],
    ['added to the hook before a write', `${on.ms_per_edit} ms`, '–'],
  ]
  const head = ['', 'on', 'off']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n').replace('|  |', '| |')}\n`
}

/** @param {Counts} figures @param {'told' | 'undisturbed'} what */
function of(figures, what) {
  const all = what === 'told' ? figures.conflicts : figures.harmless
  return `${figures[what]} of ${all}`
}

/**
 * @param {Figures & { all: number }} on
 * @param {Figures} off
 * @param {{ commit: string | undefined, seed: number, isOwn: boolean, races: import('./races.mjs').Races, real: Counts }} run
 */
export function pageOf(on, off, { commit, seed, isOwn, races, real }) {
  const data = isOwn
    ? "the project's own small data set"
    : 'a data set in the layout of\nCooperBench (arXiv 2601.13295), which is no part of the project'
  return `# Cooperation

Written by \`npm run bench:coop -- --write\`, seed ${seed}, on ${on.pairs} pairs of patches from ${data}.

Each file is rebuilt from the old lines that the two patches show. Two sessions in two worktrees each replay one patch
as edits, in random order and with pauses, one in a turn of yours and one in a message turn. Our own hooks judge each
edit by the payloads of Claude Code; a refused call is made once more. *off* is the same with \`AGENT_CHAT_CLAIMS=off\`.

${tableOf(on, off)}
There were ${on.all} refusals in all. A pair conflicts where the report of the data set says so, else where
\`git merge-file\` finds a conflict. *Told* means: for every two edits that git cannot merge, the session that wrote later
had been refused, with the diff, before it wrote.

**On the real Claude Code ${version}**, with a scripted model and ${real.pairs} of the pairs: ${of(real, 'told')} conflicts told,
${of(real, 'undisturbed')} other pairs not disturbed, ${real.lost} writes lost, ${real.repeated} calls refused twice.

**Claims.** ${racesOf(races).replace(', ', ',\n')}.

What this does not say:

- **Whether models then do better.** No model took part.
- **What it costs to start.** The hooks run in one process here, on a machine that may have other work.
  [performance](performance.md) has whole processes.
- **How close a skeleton is to the repository.** Lines that neither patch shows are placeholders.

Measured at commit \`${(commit ?? '0000000').replace('+', '')}\`.
`
}

/** @param {import('./races.mjs').Races} races */
export function racesOf({ races, one, other }) {
  const rest = other === 0 ? 'none had another end' : `${other} had another end`
  return `Four sessions claimed files that overlap at the same moment, ${races} times: ${one} had one winner, ${rest}`
}

/** @param {string} text */
export function writePage(text) {
  writeFileSync(PAGE, text)
}
