import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { pinnedVersion } from '../harness/install.ts'
import type { Row } from './rows.ts'

/** Whether a row came out as it should, once. */
export type Found = { row: string; held: boolean }

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'wakes.md')

export function foundIn(path: string): Found[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

export async function writePage(found: readonly Found[], rows: readonly Row[]): Promise<void> {
  const lines = rows.map(({ name, should }) => {
    const own = found.filter(({ row }) => row === name)
    return `| ${name.replaceAll('|', '\\|')} | ${should} | ${own.filter(({ held }) => held).length} of ${own.length} |`
  })
  const held = found.filter((one) => one.held).length
  const [load] = loadavg()
  writeFileSync(
    PAGE,
    `# Wakes and mailboxes on a bad day

Written by \`npm run evidence:wakes\`, on Claude Code ${await pinnedVersion()} with a scripted model, in a tmux server of its
own. The model reads its inbox when it is rung, and does at once what a message or a prompt asks for.

**${held} of ${found.length} as they should.** Load at the end: ${load?.toFixed(1)}, on ${availableParallelism()} cores.

| what happens | should | came |
| --- | --- | --- |
${lines.join('\n')}

## Not played

- A run of a schedule that was missed. The supervisor makes it up or tells of it before it starts a client, and the row
  would have to wait for a time of the day: \`src/worker/clock\` has its tests.
- A usage limit of a real account. The scripted API says what the client shows of one.
`,
  )
}
