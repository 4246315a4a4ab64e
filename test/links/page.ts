import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { join } from 'node:path'
import type { Counts } from './count.ts'

/** A page of evidence: a table of cases and a list of figures, which runs of some cases may share. */
export type Page = {
  row: (name: string, counts: Counts, note: string) => void
  /** `what` stays from run to run, `value` is what was measured; the load of the machine is added. */
  figure: (what: string, value: string) => void
  text: () => string
}

/**
 * The page `docs/evidence/<name>.md`, with the rows of earlier runs: each case replaces its own row,
 * so that a long run may be split by case. `LINKS_WRITE=1` writes it after each row, since a run that
 * is ended has told what it saw.
 */
export function evidence(name: string, head: string): Page {
  const path = join(import.meta.dirname, '../../docs/evidence', `${name}.md`)
  const write = process.env.LINKS_WRITE === '1'
  const lines = new Map<string, string>()
  const text = () => {
    const kept = [...(write ? linesOf(readFileSync(path, 'utf8')) : []), ...lines]
    const all = [...new Map(kept).values()]
    const system = `Node ${process.versions.node} and Linux ${release()}`
    const figures = all.filter((line) => line.startsWith('- '))
    return [
      ...[head.replace('SYSTEM', system), ''],
      ...['| what happens | sent | lost | twice | out of order | |', '|---|---|---|---|---|---|'],
      ...all.filter((line) => line.startsWith('| ')),
      ...(figures.length > 0 ? ['', ...figures] : []),
      '',
    ].join('\n')
  }
  const keep = (what: string, line: string) => {
    lines.set(what, line)
    if (write) writeFileSync(path, text())
  }
  return {
    row: (what, { sent, lost, twice, order }, note) =>
      keep(what, `| ${what} | ${sent} | ${lost} | ${twice} | ${order} | ${note} |`),
    figure: (what, value) => {
      const load = `${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`
      keep(what, `- ${what}: ${value} (load ${load})`)
    },
    text,
  }
}

/** The rows and figures of a page, by what they are of. */
function linesOf(text: string): [string, string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const what = /^\| ([^|]+) \| \d/.exec(line)?.[1] ?? /^- ([^:]+): /.exec(line)?.[1]
    return what === undefined ? [] : [[what, line]]
  })
}
