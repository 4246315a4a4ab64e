import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./measure.mjs').Figures} Figures */

const PAGE = fileURLToPath(new URL('../../docs/evidence/cooperation.md', import.meta.url))

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

/** @param {Figures} figures @param {'told' | 'undisturbed'} what */
function of(figures, what) {
  const all = what === 'told' ? figures.conflicts : figures.harmless
  return `${figures[what]} of ${all}`
}

/**
 * @param {Figures & { all: number }} on
 * @param {Figures} off
 * @param {{ commit: string | undefined, seed: number, isOwn: boolean }} run
 */
export function pageOf(on, off, { commit, seed, isOwn }) {
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

What this does not say:

- **Whether models then do better.** No model took part.
- **What it costs to start.** The hooks run in one process here, on a machine that may have other work.
  [performance](performance.md) has whole processes.
- **How close a skeleton is to the repository.** Lines that neither patch shows are placeholders.

Measured at commit \`${(commit ?? '0000000').replace('+', '')}\`.
`
}

/** @param {string} text */
export function writePage(text) {
  writeFileSync(PAGE, text)
}
