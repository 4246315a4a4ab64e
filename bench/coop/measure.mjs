import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildLibrary, loadHooks } from './library.mjs'
import {
  conflictOf,
  conflictsOf,
  inFolder,
  makeTrees,
  planOf,
  randomFrom,
  replay,
} from './replay.mjs'

/**
 * What a run came to. `told`: of the pairs that conflict, those whose later write was told of before it ran; `undisturbed`: of the others, those in which no
 * call was refused; `lost`: writes that are not in their tree at the end; `repeated`: calls that were refused twice; `ms_per_edit`: what it adds to the hook
 * before a write.
 * @typedef {{ pairs: number, conflicts: number, told: number, harmless: number, undisturbed: number, lost: number, repeated: number, ms_per_edit: number }} Figures
 */
/** @typedef {import('./replay.mjs').Outcome} Outcome */
/** @typedef {Omit<Figures, 'ms_per_edit'> & { ms: number }} Totals */

/**
 * Replays every pair with our hooks, once as they are and once with `AGENT_CHAT_CLAIMS=off`. `all`: how many refusals there were.
 * @param {import('./patches.mjs').Pair[]} pairs
 * @param {number} seed
 * @returns {Promise<{ on: Figures & { all: number }, off: Figures }>}
 */
export async function measure(pairs, seed) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-coop-'))
  const agents = [0, 1].map(() => spawn('sleep', ['86400'], { stdio: 'ignore' }))
  try {
    await buildLibrary(directory)
    const library = loadHooks(directory)
    const pids = agents.map(({ pid }) => pid ?? 0)
    /** @type {Outcome[]} */
    const on = []
    /** @type {Outcome[]} */
    const off = []
    for (const [at, pair] of pairs.entries())
      for (const [outcomes, env] of /** @type {const} */ ([
        [on, {}],
        [off, { AGENT_CHAT_CLAIMS: 'off' }],
      ]))
        outcomes.push(await replayPair(pair, { directory, library, pids, at, seed, env }))
    const [withNotes, without] = [totalsOf(on), totalsOf(off)]
    const added = Math.round((withNotes.ms - without.ms) * 100) / 100
    const all = on.reduce((sum, { refused }) => sum + refused, 0)
    return { on: { ...figures(withNotes, added), all }, off: figures(without, 0) }
  } finally {
    for (const agent of agents) agent.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * @param {import('./patches.mjs').Pair} pair
 * @param {{ directory: string, library: typeof import('./hooks.ts'), pids: number[], at: number, seed: number, env: Record<string, string> }} world
 * @returns {Promise<Outcome>}
 */
function replayPair(pair, { directory, library, pids, at, seed, env }) {
  return inFolder(directory, async (folder) => {
    const random = randomFrom(seed * 1_000_003 + numberFor(pair.id))
    const plan = planOf(pair.patches)
    const trees = makeTrees(folder, plan.base)
    const conflict = pair.conflict ?? conflictOf(plan, folder)
    const conflicts = conflict ? conflictsOf(plan, folder) : []
    /** @type {import('./hooks.ts').TurnOf[]} */
    const turns = at % 2 === 0 ? ['you', 'message'] : ['message', 'you']
    const members = ['alpha', 'beta'].map((name, side) => ({
      ...{ name, pid: pids[side] ?? 0, tree: trees[side] ?? '' },
      turn: turns[side] ?? 'you',
    }))
    const sessions = await library.openSessions(join(folder, 'home'), members, env)
    return { ...(await replay(plan, { trees, sessions, conflicts, random })), conflict }
  })
}

/**
 * Replays pairs on the real Claude Code with a scripted model, by the end-to-end harness. What a hook takes there was not measured.
 * @param {string} folder
 * @param {import('./patches.mjs').Pair[]} pairs
 * @param {number} seed
 * @returns {Omit<Totals, 'ms'>}
 */
export function measureClaude(folder, pairs, seed) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-coop-'))
  const root = join(import.meta.dirname, '..', '..')
  const said = join(directory, 'said')
  const order = { folder, ids: pairs.map(({ id }) => id), seed, said }
  // A session that measures must not name itself to what is measured.
  const env = Object.entries(process.env).filter(
    ([key]) => !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
  )
  const config = join('test', 'e2e', 'coop', 'vitest.config.mts')
  const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', config]
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, vitest, {
      ...{ cwd: root, encoding: 'utf8', maxBuffer: 1e8 },
      env: { ...Object.fromEntries(env), AGENT_CHAT_COOP: JSON.stringify(order) },
    })
    if (status !== 0) process.stderr.write(stdout + stderr)
    const lines = status === 0 ? readFileSync(said, 'utf8').trim().split('\n') : []
    if (lines.length !== pairs.length) throw new Error('not every pair was replayed')
    const { ms: _, ...totals } = totalsOf(lines.map((line) => JSON.parse(line)))
    return totals
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** @param {Outcome[]} outcomes @returns {Totals} */
function totalsOf(outcomes) {
  const sum = (/** @type {(one: Outcome) => number} */ of) =>
    outcomes.reduce((all, one) => all + of(one), 0)
  const harmless = outcomes.filter(({ conflict }) => !conflict)
  const ms = outcomes.flatMap((one) => one.ms)
  return {
    pairs: outcomes.length,
    conflicts: outcomes.length - harmless.length,
    told: outcomes.filter(({ conflict, told }) => conflict && told).length,
    harmless: harmless.length,
    undisturbed: harmless.filter(({ refused }) => refused === 0).length,
    lost: sum(({ lost }) => lost),
    repeated: sum(({ repeated }) => repeated),
    ms: ms.reduce((all, one) => all + one, 0) / ms.length,
  }
}

/** @param {Totals} totals @param {number} added @returns {Figures} */
function figures({ ms: _, ...totals }, added) {
  return { ...totals, ms_per_edit: added }
}

/** A number for a text (FNV-1a). @param {string} text */
function numberFor(text) {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
