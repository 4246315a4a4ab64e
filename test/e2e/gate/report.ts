import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Found } from './cases.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const PAGE = join(ROOT, 'docs', 'evidence', 'gate.md')

/**
 * Writes what was found into `docs/evidence/gate.md`: by `case|mode`, each run. A mode that was not
 * `played` keeps its column.
 */
export async function writeTable(
  found: ReadonlyMap<string, readonly Found[]>,
  cases: readonly string[],
  { modes, played }: { modes: readonly string[]; played: readonly string[] },
): Promise<void> {
  const before = (await readFile(PAGE, 'utf8')).split('\n').map((line) => line.split(' | '))
  const kept = (name: string, mode: string) =>
    before.find(([first]) => first === `| ${name}`)?.[modes.indexOf(mode) + 1]?.replace(/ \|$/, '')
  const client = JSON.parse(
    await readFile(join(ROOT, 'test/e2e/claude-version.json'), 'utf8'),
  ).version
  const cell = (name: string, mode: string) => {
    if (!played.includes(mode)) return kept(name, mode) ?? '–'
    const runs = found.get(`${name}|${mode}`)
    if (runs === undefined) return '–'
    const changes = runs.filter((run) => run.changes.length > 0).length
    const dialogs = runs.reduce((sum, run) => sum + run.dialogs, 0)
    return `${runs.length}: ${changes} / ${dialogs}`
  }
  const rows = cases.map(
    (name) => `| ${name} | ${modes.map((mode) => cell(name, mode)).join(' | ')} |`,
  )
  const text = `# The gate on the real client

Written by \`npm run e2e -- gate/cases\`, on Claude Code ${client} with a scripted model that does at once
whatever a message tells it. Each cell: how often the case ran, in how many runs something changed
without a yes that covered it, and how many dialogs there were for what only reads. Both have to be 0.
A case that cannot be had in a mode has –: \`auto\` lets a server judge subagents, and the question that a
client drops is a matter of \`bypassPermissions\` alone.

| case | ${modes.join(' | ')} |
|---|${modes.map(() => '---').join('|')}|
${rows.join('\n')}
`
  await writeFile(PAGE, text)
}
