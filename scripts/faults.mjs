// npm run faults: plants faults in the source, one at a time, and counts how many the tests find that
// start no client. The same seed plants the same faults. Some hours for all; they go into a clone of HEAD.
//   npm run faults -- --count 20 --seed 7   fewer, others
//   npm run faults -- --from 40             goes on behind the first 40
//   npm run faults -- --list                prints them, and runs nothing
//   npm run faults -- --all                 what is not found is looked for in test:all as well
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { randomFrom } from './random.mjs'

const ROOT = join(import.meta.dirname, '..')
/** What decides about trust, messages, what participants do, and who is woken. */
const ROOMS = ['trust', 'bus', 'chat', 'doorbell']
/** Longer than any run of the tests; a fault that lets one hang is found by that. In milliseconds. */
const LIMIT_MS = 30 * 60_000

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    list: { type: 'boolean' },
    all: { type: 'boolean' },
  },
})

/** @typedef {{ file: string, line: number, what: string, text: string }} Fault */

const chosen = choose(Number(values.count), Number(values.seed)).slice(Number(values.from))
if (values.list) for (const { file, line, what } of chosen) console.log(`${file}:${line} ${what}`)
else await plantAll()

async function plantAll() {
  const tree = mkdtempSync(join(tmpdir(), 'agent-chat-faults-'))
  let found = 0
  try {
    const clone = spawnSync('git', ['clone', '-q', ROOT, tree], { stdio: 'inherit' })
    if (clone.status !== 0) throw new Error('git did not clone this tree')
    writeFileSync(join(tree, '.git', 'info', 'exclude'), 'node_modules\n')
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
    const already = foundBy(tree, { file: chosen[0]?.file ?? '' })
    if (already !== undefined) throw new Error(`the tests fail without a fault, too: ${already}`)
    for (const fault of chosen) {
      const path = join(tree, fault.file)
      const whole = readFileSync(path, 'utf8')
      writeFileSync(path, fault.text)
      const by = foundBy(tree, fault)
      writeFileSync(path, whole)
      if (by !== undefined) found += 1
      console.log(`${(by ?? 'MISSED').padEnd(10)} ${fault.file}:${fault.line} ${fault.what}`)
    }
  } finally {
    rmSync(tree, { recursive: true, force: true, maxRetries: 5 })
  }
  console.log(`\n${found} of ${chosen.length} found; seed ${values.seed}`)
}

/** Which tests find a fault, the cheapest first. @param {string} tree @param {{ file: string }} fault */
function foundBy(tree, { file }) {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  const fails = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, args, {
      cwd: tree,
      stdio: 'ignore',
      timeout: LIMIT_MS,
      env: { ...process.env, FUZZ_SEED: '1', FUZZ_RUNS: '0.1' },
    }).status !== 0
  const bail = ['--bail=1']
  if (fails(join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit')) return 'types'
  if (fails(vitest, 'related', file, '--run', '--project', 'pure*', ...bail)) return 'pure'
  if (fails(join('node_modules', 'tsup', 'dist', 'cli-default.js'), '--silent')) return 'build'
  const program = ['--project', 'process', '--project', 'long']
  if (fails(vitest, 'run', ...program, ...bail)) return 'process'
  if (values.all && fails(join('scripts', 'test.mjs'), '--rest')) return 'rest'
  return undefined
}

/** @param {number} count @param {number} seed @returns {Fault[]} */
function choose(count, seed) {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => join('src', room, file)),
  ).sort()
  const every = files.flatMap((file) => faultsIn(file, readFileSync(join(ROOT, file), 'utf8')))
  const random = randomFrom(seed)
  const some = new Set()
  while (some.size < Math.min(count, every.length)) some.add(Math.floor(random() * every.length))
  return [...some].map((at) => /** @type {Fault} */ (every[at]))
}

/**
 * Each fault that can be planted in a file: a condition turned, a return emptied, an await dropped.
 * @param {string} file
 * @param {string} code
 * @returns {Fault[]}
 */
function faultsIn(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  /** @type {Fault[]} */
  const found = []
  const plant = (
    /** @type {ts.Node} */ node,
    /** @type {string} */ what,
    /** @type {string} */ by,
  ) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    found.push({ file, line, what, text: code.slice(0, start) + by + code.slice(end) })
  }
  const visit = (/** @type {ts.Node} */ node) => {
    const condition = ts.isIfStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : undefined
    if (condition) plant(condition, 'a condition turned', `!(${condition.getText(source)})`)
    if (ts.isReturnStatement(node) && node.expression)
      plant(node.expression, 'a return emptied', '(undefined as never)')
    if (ts.isAwaitExpression(node))
      plant(node, 'an await dropped', `(${node.expression.getText(source)} as never)`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
