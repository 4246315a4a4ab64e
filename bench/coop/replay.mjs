import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { changesOf, parsePatch, skeletonOf, textOf, withChanges } from './patches.mjs'

/** @typedef {import('./patches.mjs').Change} Change */
/** One write of a replay: its file, and the change of that; `file` has all that this session writes there. @typedef {{ path: string, change: Change, file: Written }} Step */
/** @typedef {{ path: string, base: string[], kind: 'change' | 'add' | 'delete', done: Change[], all: Change[] }} Written */
/** Both sides of a pair: the old files, and each one's steps. @typedef {{ base: Map<string, string[]>, sides: [Step[], Step[]] }} Plan */

/**
 * What a replay came to. `told`: each write that conflicts was told of before, with the diff; `refused`: how many calls were; `repeated`: how many of those
 * once more; `lost`: writes that are not in their tree at the end; `ms`: what each hook before a write took.
 * @typedef {{ conflict: boolean, told: boolean, refused: number, repeated: number, lost: number, ms: number[] }} Outcome
 */

/** The files and writes of two patches. @param {[string, string]} patches @returns {Plan} */
export function planOf(patches) {
  const [one, two] = [parsePatch(patches[0]), parsePatch(patches[1])]
  /** @type {Map<string, string[]>} */
  const base = new Map()
  for (const { path } of [...one, ...two]) {
    const both = [one, two].map((files) => files.find((file) => file.path === path))
    if (both.some((file) => file && file.kind !== 'add')) base.set(path, skeletonOf(both))
  }
  const stepsOf = (/** @type {typeof one} */ files) =>
    files.flatMap((patch) => {
      const all = changesOf(patch)
      const lines = base.get(patch.path) ?? []
      const file = { path: patch.path, base: lines, kind: patch.kind, done: [], all }
      return all.map((change) => ({ path: patch.path, change, file }))
    })
  return { base, sides: [stepsOf(one), stepsOf(two)] }
}

/** A repository of git with these files, and two more trees of it. @param {string} folder @param {Plan['base']} base @returns {[string, string]} */
export function makeTrees(folder, base) {
  const main = join(folder, 'main')
  mkdirSync(main, { recursive: true })
  for (const [path, lines] of base) put(join(main, path), textOf(lines))
  put(join(main, '.base'), 'what both began with\n')
  git(main, 'init', '-q')
  git(main, 'add', '-A')
  git(main, 'commit', '-q', '-m', 'base')
  const trees = ['one', 'two'].map((name) => {
    git(main, 'worktree', 'add', '-q', '-b', name, join(folder, name))
    return join(folder, name)
  })
  return /** @type {[string, string]} */ (trees)
}

/** @param {string} cwd @param {...string} args */
function git(cwd, ...args) {
  const who = [
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@localhost',
    '-c',
    'commit.gpgsign=false',
  ]
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}

/** @param {string} path @param {string} text */
export function put(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/**
 * The pairs of writes of which git can take only one: they conflict when it merges the two alone.
 * @param {Plan} plan
 * @param {string} folder
 * @returns {[Step, Step][]}
 */
export function conflictsOf({ sides: [one, two] }, folder) {
  const NEAR = 4
  return one.flatMap((a) =>
    two
      .filter(
        (b) =>
          a.path === b.path &&
          Math.max(a.change.start, b.change.start) - Math.min(a.change.end, b.change.end) <= NEAR &&
          !merges(a.file.base, [a.change], [b.change], folder),
      )
      .map((b) => /** @type {[Step, Step]} */ ([a, b])),
  )
}

/** Whether git merges two changed versions of a file. @param {string[]} base @param {Change[]} one @param {Change[]} two @param {string} folder */
function merges(base, one, two, folder) {
  const names = ['one', 'base', 'two'].map((name) => join(folder, `merge-${name}`))
  const texts = [withChanges(base, one), base, withChanges(base, two)]
  for (const [at, name] of names.entries()) writeFileSync(name, textOf(texts[at] ?? []))
  return spawnSync('git', ['merge-file', '-p', '-q', ...names], { stdio: 'ignore' }).status === 0
}

/** Whether the two patches as a whole conflict. @param {Plan} plan @param {string} folder */
export function conflictOf({ base, sides: [one, two] }, folder) {
  const files = (/** @type {Step[]} */ steps) =>
    new Map(steps.map(({ path, file }) => [path, file]))
  const [mine, theirs] = [files(one), files(two)]
  return [...mine].some(([path, file]) => {
    const other = theirs.get(path)
    if (!other) return false
    if (file.kind !== other.kind) return true
    return !merges(base.get(path) ?? [], file.all, other.all, folder)
  })
}

/** The call of Claude Code's with which a step is made, by the file as it is now. @param {Step} step @param {string} tree @returns {{ tool: string, input: Record<string, string>, after: string }} */
export function callOf({ path, change, file }, tree) {
  const file_path = join(tree, path)
  const now = withChanges(file.base, file.done)
  const whole = textOf(withChanges(file.base, [...file.done, change]))
  const before = textOf(now)
  if (file.kind !== 'change' || before === '')
    return { tool: 'Write', input: { file_path, content: whole }, after: whole }
  const moved = file.done
    .filter(({ start }) => start < change.start)
    .reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0)
  const [start, end] = [change.start + moved, change.end + moved]
  for (let more = 0; ; more += 1) {
    const above = now.slice(Math.max(0, start - more), start)
    const below = now.slice(end, end + more)
    const old = [...above, ...now.slice(start, end), ...below].join('\n')
    const text = [...above, ...change.lines, ...below].join('\n')
    const isAll = start - more <= 0 && end + more >= now.length
    if (old !== '' && text !== old && before.split(old).length === 2) {
      const made = before.replace(old, () => text)
      if (made === whole)
        return {
          tool: 'Edit',
          input: { file_path, old_string: old, new_string: text },
          after: whole,
        }
    }
    if (isAll) return { tool: 'Write', input: { file_path, content: whole }, after: whole }
  }
}

/**
 * Replays both sides in an order, and with pauses, that `random` gives. A refused call is made once more, a little later. A session of a real client `writes`
 * its files itself.
 * @param {Plan} plan
 * @param {{ trees: [string, string], sessions: (import('./hooks.ts').Session & { writes?: true })[], conflicts: [Step, Step][], random: () => number }} world
 */
export async function replay({ sides }, { trees, sessions, conflicts, random }) {
  const left = sides.map((steps) => shuffled(steps, random))
  /** When a step was made, and when a side was refused with a diff for a file. */
  const made = new Map()
  /** @type {{ side: number, step: Step, at: number }[]} */
  const refusals = []
  const tried = new Set()
  const count = { refused: 0, repeated: 0, lost: 0, time: 0 }
  /** @type {number[]} */
  const ms = []
  while (left.some((steps) => steps.length > 0)) {
    const side =
      (left[0]?.length ?? 0) === 0 ? 1 : (left[1]?.length ?? 0) === 0 ? 0 : random() < 0.5 ? 0 : 1
    const step = left[side]?.shift()
    const session = sessions[side]
    if (!step || !session) break
    count.time += 1
    const { tool, input, after } = callOf(step, trees[side] ?? '')
    const key = `${side} ${JSON.stringify(input)}`
    const again = tried.has(key)
    const id = `call-${side}-${count.time}`
    const said = await session.before(tool, input, id)
    ms.push(said.ms)
    if (said.decision === 'deny') {
      count.refused += 1
      if (again) count.repeated += 1
      if (/^[+-]/m.test(said.reason)) refusals.push({ side, step, at: count.time })
      // Once more: at once, or after others.
      if (again) count.lost += 1
      else left[side]?.splice(Math.floor(random() * 3), 0, step)
      tried.add(key)
      continue
    }
    if (!session.writes) put(input.file_path ?? '', after)
    step.file.done.push(step.change)
    made.set(step, count.time)
    await session.after(tool, input, id)
    if (random() < 0.3) await wait(random() * 4)
  }
  const told =
    conflicts.length === 0
      ? refusals.length > 0
      : conflicts.every(([a, b]) => {
          const [first, second, side] = made.get(a) < made.get(b) ? [a, b, 1] : [b, a, 0]
          return refusals.some(
            (one) =>
              one.side === side &&
              one.at < made.get(second) &&
              (one.step === second || (one.step.path === second.path && one.at > made.get(first))),
          )
        })
  return { told, ms, ...count, lost: count.lost + lostIn(sides, trees) }
}

/** How many writes are not in their tree at the end. @param {Plan['sides']} sides @param {[string, string]} trees */
export function lostIn(sides, trees) {
  const files = sides.flatMap((steps, side) =>
    [...new Set(steps.map(({ file }) => file))].map((file) => ({ file, tree: trees[side] ?? '' })),
  )
  return files.reduce((sum, { file, tree }) => {
    const text = readFileSync(join(tree, file.path), 'utf8')
    const whole = textOf(withChanges(file.base, file.all))
    return sum + (text === whole ? 0 : Math.max(1, file.all.length - file.done.length))
  }, 0)
}

/** @template T @param {readonly T[]} items @param {() => number} random @returns {T[]} */
export function shuffled(items, random) {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [/** @type {T} */ (all[other]), /** @type {T} */ (all[at])]
  }
  return all
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A folder that is gone when `work` is done. @template T @param {string} parent @param {(folder: string) => Promise<T>} work */
export async function inFolder(parent, work) {
  const folder = mkdtempSync(join(parent, 'pair-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
