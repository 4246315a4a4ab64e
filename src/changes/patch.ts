import { linesOf, nearestRun } from './lines.ts'

/**
 * What a call makes of a file: `path` as the call gives it, and the text that it will have. `after`
 * takes the text that it has now, undefined where there is no file, and gives undefined for an edit
 * that cannot be made.
 */
export type Edit = { path: string; after: (text: string | undefined) => string | undefined }

/** A part of a patch: where it says that it is (`@@ class A`), what was there, and what will be. */
type Part = { below: string[]; old: string[]; now: string[] }

/**
 * The files that a patch in Codex's form changes. A part whose old lines are not in the file makes
 * the edit one that cannot be made.
 */
export function patched(patch: string): Edit[] {
  const body = patch.slice(patch.indexOf('*** Begin Patch'))
  const files = body.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m).slice(1)
  return files.flatMap((text) => {
    const [, what = '', path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)/.exec(text) ?? []
    if (what === '') return []
    const lines = text
      .slice(text.indexOf('\n') + 1)
      .split(/^\*\*\* End Patch/m)[0]
      ?.replace(/\n$/, '')
      .split('\n')
    return { path: path.trim(), after: made(what, lines ?? []) }
  })
}

function made(what: string, lines: string[]): Edit['after'] {
  if (what === 'Delete') return () => ''
  if (what === 'Add') return () => lines.map((line) => `${line.slice(1)}\n`).join('')
  const parts = partsOf(lines)
  return (text) => (text === undefined ? undefined : withParts(linesOf(text), parts))
}

function partsOf(lines: string[]): Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const last = parts.at(-1)
    if (line.startsWith('@@')) {
      const name = line.slice(2).trim()
      const follows = last && last.old.length + last.now.length === 0
      const below = [...(follows ? last.below : []), ...(name ? [name] : [])]
      if (follows) last.below = below
      else parts.push({ below, old: [], now: [] })
    } else if (!line.startsWith('***')) {
      const part = last ?? { below: [], old: [], now: [] }
      if (!last) parts.push(part)
      if (!line.startsWith('+')) part.old.push(line.slice(1))
      if (!line.startsWith('-')) part.now.push(line.slice(1))
    }
  }
  return parts
}

function withParts(lines: string[], parts: Part[]): string | undefined {
  let from = 0
  for (const { below, old, now } of parts) {
    for (const name of below) {
      const at = lines.findIndex((line, index) => index >= from && line.trim() === name)
      from = at < 0 ? from : at + 1
    }
    // Without old lines the new ones come last.
    const at = old.length === 0 ? lines.length : placeOf(lines, old, from)
    if (at < 0) return undefined
    lines.splice(at, old.length, ...now)
    from = at + now.length
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** The first place of these lines behind `from`, else any; Codex forgives blanks at their ends. */
function placeOf(lines: string[], old: string[], from: number): number {
  for (const form of [
    (line: string) => line,
    (line: string) => line.trimEnd(),
    (line: string) => line.trim(),
  ]) {
    const [all, run] = [lines.map(form), old.map(form)]
    const behind = nearestRun(all.slice(from), run, 0)
    if (behind >= 0) return from + behind
    const any = nearestRun(all, run, from)
    if (any >= 0) return any
  }
  return -1
}
