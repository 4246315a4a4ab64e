/**
 * A change of a text, as lines: those from `start` up to `end` (from 0, `end` not included) became
 * `lines`. An insertion has `start === end`.
 */
export type Hunk = { start: number; end: number; lines: string[] }

/**
 * Two texts that differ in more lines than this are told apart as one large change: looking for the
 * shortest way between them would take longer than a hook may.
 */
const MOST_STEPS = 400

/** The lines of a text. The end of a line in Windows counts as that of any other system. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** What makes `after` of `before`, in order, by Myers' shortest way (An O(ND) Difference Algorithm, 1986). */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = before.length
  let newEnd = after.length
  while (end > start && newEnd > start && before[end - 1] === after[newEnd - 1]) {
    end -= 1
    newEnd -= 1
  }
  if (start === end && start === newEnd) return []
  const whole = { start, end, lines: after.slice(start, newEnd) }
  if (start === end || start === newEnd) return [whole]
  const kept = keptIn(before.slice(start, end), whole.lines)
  return kept ? slidDown(between(kept, whole), before) : [whole]
}

/**
 * Lines that were added beside the like of them may be seen in more than one place: as git does, each
 * such change is taken for the lowest one, so that two who look at one text see the same.
 */
function slidDown(hunks: Hunk[], before: readonly string[]): Hunk[] {
  const slid: Hunk[] = []
  for (const hunk of hunks.reverse()) {
    const [next] = slid
    let { start, end, lines } = hunk
    const last = next?.start ?? before.length
    while (end < last && slides(before, start, end, lines)) {
      if (lines.length > 0) lines = [...lines.slice(1), before[end] ?? '']
      start += 1
      end += 1
    }
    if (next?.start === end) slid[0] = { start, end: next.end, lines: [...lines, ...next.lines] }
    else slid.unshift({ start, end, lines })
  }
  return slid
}

/** Whether a change, all added or all removed, is the same one line lower. */
function slides(before: readonly string[], start: number, end: number, lines: string[]): boolean {
  return start === end
    ? lines[0] === before[end]
    : lines.length === 0 && before[start] === before[end]
}

/** The changes around what was kept; `kept`: pairs of places in the old and the new lines of `whole`. */
function between(kept: [number, number][], whole: Hunk): Hunk[] {
  const hunks: Hunk[] = []
  let [old, now] = [0, 0]
  for (const [a, b] of [...kept, [whole.end - whole.start, whole.lines.length] as const]) {
    if (a > old || b > now)
      hunks.push({
        start: whole.start + old,
        end: whole.start + a,
        lines: whole.lines.slice(now, b),
      })
    old = a + 1
    now = b + 1
  }
  return hunks
}

/** The lines that both have, as pairs of their places; undefined where the way is too long. */
function keptIn(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  const most = Math.min(a.length + b.length, MOST_STEPS)
  const reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  const ways: Int32Array[] = []
  for (let steps = 0; steps <= most; steps += 1) {
    ways.push(reach.slice(middle - steps - 1, middle + steps + 2))
    for (let k = -steps; k <= steps; k += 2) {
      const down = isDown(reach, middle, k, steps)
      let x = down ? at(reach, middle + k + 1) : at(reach, middle + k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      reach[middle + k] = x
      if (x >= a.length && x - k >= b.length) return walkBack(ways, a.length, b.length)
    }
  }
  return undefined
}

function walkBack(ways: Int32Array[], endX: number, endY: number): [number, number][] {
  const kept: [number, number][] = []
  let [x, y] = [endX, endY]
  for (let steps = ways.length - 1; steps >= 0; steps -= 1) {
    const reach = ways[steps] as Int32Array
    const k = x - y
    const down = isDown(reach, steps + 1, k, steps)
    const from = steps === 0 ? 0 : at(reach, steps + 1 + (down ? k + 1 : k - 1))
    const begin = steps === 0 || down ? from : from + 1
    for (; x > begin; y -= 1) {
      x -= 1
      kept.push([x, y - 1])
    }
    y = from - (down ? k + 1 : k - 1)
    x = from
  }
  return kept.reverse()
}

/** Whether the best way to diagonal `k` comes from the one above it, by a line that is added. */
function isDown(reach: Int32Array, middle: number, k: number, steps: number): boolean {
  return k === -steps || (k !== steps && at(reach, middle + k - 1) < at(reach, middle + k + 1))
}

function at(reach: Int32Array, place: number): number {
  return reach[place] ?? 0
}

/** `lines` after these changes. */
export function withHunks(lines: readonly string[], hunks: readonly Hunk[]): string[] {
  const now = [...lines]
  for (const { start, end, lines: put } of [...hunks].reverse())
    now.splice(start, end - start, ...put)
  return now
}

/** Whether `run` is in `lines` at that place. */
export function isAt(lines: readonly string[], place: number, run: readonly string[]): boolean {
  return place >= 0 && run.every((line, index) => lines[place + index] === line)
}

/** The place of `run` in `lines` that is nearest to `near`, or -1. */
export function nearestRun(lines: readonly string[], run: readonly string[], near: number): number {
  let found = -1
  for (let place = 0; place + run.length <= lines.length; place += 1)
    if (isAt(lines, place, run) && (found < 0 || Math.abs(place - near) < Math.abs(found - near)))
      found = place
  return found
}
