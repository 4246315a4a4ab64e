import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A part of a patch: from line `start` of the old file, 0 the first, lines with their signs. @typedef {{ start: number, lines: [sign: string, text: string][] }} Part */
/** What a patch does to a file. @typedef {{ path: string, kind: 'change' | 'add' | 'delete', parts: Part[] }} FilePatch */
/** Lines `start` to `end` of the old file become others. @typedef {{ start: number, end: number, lines: string[] }} Change */
/** Two features of one task; `conflict` where the data set says. @typedef {{ id: string, patches: [string, string], conflict: boolean | undefined }} Pair */

/**
 * Every pair of features of each task below `folder`/dataset.
 * @param {string} folder
 * @returns {Pair[]}
 */
export function pairsIn(folder) {
  const root = join(folder, 'dataset')
  const verdicts = verdictsIn(root)
  return namesIn(root).flatMap((repo) =>
    namesIn(join(root, repo)).flatMap((task) => {
      const at = join(root, repo, task)
      const features = namesIn(at)
        .filter((name) => /^feature\d+$/.test(name))
        .sort((a, b) => numberOf(a) - numberOf(b))
      return features.flatMap((one, index) =>
        features.slice(index + 1).map((two) => {
          const id = `${repo}/${task} ${numberOf(one)}+${numberOf(two)}`
          const patches = [one, two].map((name) =>
            readFileSync(join(at, name, 'feature.patch'), 'utf8'),
          )
          return {
            ...{ id, patches: /** @type {[string, string]} */ (patches) },
            conflict: verdicts.get(id),
          }
        }),
      )
    }),
  )
}

/** What the data set's own report says, by the pair's id. @param {string} root @returns {Map<string, boolean>} */
function verdictsIn(root) {
  try {
    const { all_results: rows } = JSON.parse(
      readFileSync(join(root, 'gold_conflict_report.json'), 'utf8'),
    )
    return new Map(
      rows.map((/** @type {Record<string, unknown>} */ row) => {
        const [one, two] = [Number(row.f1), Number(row.f2)].sort((a, b) => a - b)
        return [`${row.repo}/task${row.task_id} ${one}+${two}`, row.has_conflict === true]
      }),
    )
  } catch {
    return new Map()
  }
}

/** @param {string} folder */
function namesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** @param {string} name */
function numberOf(name) {
  return Number(name.replace(/\D+/g, ''))
}

/** A patch as git writes it, or several behind one another. @param {string} text @returns {FilePatch[]} */
export function parsePatch(text) {
  /** @type {Map<string, FilePatch>} */
  const files = new Map()
  for (const part of text.split(/^(?=diff --git )/m)) {
    const head = part.split(/^@@ /m)[0] ?? ''
    const path = /^diff --git .* b\/(.+)$/m.exec(head)?.[1]
    if (path === undefined) continue
    const kind = /^new file/m.test(head) ? 'add' : /^deleted file/m.test(head) ? 'delete' : 'change'
    const parts = [...(files.get(path)?.parts ?? []), ...partsOf(part)]
    files.set(path, { path, kind, parts: parts.sort((one, two) => one.start - two.start) })
  }
  return [...files.values()]
}

/** @param {string} text @returns {Part[]} */
function partsOf(text) {
  /** @type {Part[]} */
  const parts = []
  let [old, now] = [0, 0]
  for (const line of text.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (head && old + now <= 0) {
      ;[old, now] = [Number(head[2] ?? 1), Number(head[3] ?? 1)]
      parts.push({ start: Number(head[1]) - (old > 0 ? 1 : 0), lines: [] })
    } else if (old > 0 || now > 0) {
      const sign = line[0] ?? ' '
      if (sign === '\\') continue
      if (sign !== '+') old -= 1
      if (sign !== '-') now -= 1
      parts.at(-1)?.lines.push([sign, line.slice(1)])
    }
  }
  return parts
}

/**
 * A file as far as patches of it tell: their old lines in their places, and between them lines that are each like no other.
 * @param {(FilePatch | undefined)[]} patches
 */
export function skeletonOf(patches) {
  /** @type {(string | undefined)[]} */
  const known = []
  for (const { start, lines } of patches.flatMap((patch) => patch?.parts ?? [])) {
    let at = start
    for (const [sign, text] of lines)
      if (sign !== '+') {
        known[at] ??= text
        at += 1
      }
    known.length = Math.max(known.length, at)
  }
  return Array.from(known, (line, at) => line ?? `(line ${at + 1})`)
}

/** The changes of a patch: each stretch of lines that it replaces. @param {FilePatch} patch @returns {Change[]} */
export function changesOf({ parts }) {
  /** @type {Change[]} */
  const changes = []
  for (const { start, lines } of parts) {
    let at = start
    /** @type {Change | undefined} */
    let open
    for (const [sign, text] of lines) {
      if (sign === ' ') open = undefined
      else if (!open) {
        open = { start: at, end: at, lines: [] }
        changes.push(open)
      }
      if (sign === '+') open?.lines.push(text)
      else at += 1
      if (sign === '-' && open) open.end = at
    }
  }
  return changes
}

/** @param {string[]} lines @param {readonly Change[]} changes */
export function withChanges(lines, changes) {
  const now = [...lines]
  for (const { start, end, lines: put } of [...changes].sort((a, b) => b.start - a.start))
    now.splice(start, end - start, ...put)
  return now
}

/** @param {string[]} lines */
export function textOf(lines) {
  return lines.map((line) => `${line}\n`).join('')
}
