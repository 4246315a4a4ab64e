// node scripts/titles.mjs <commit>: what became of the tests of that commit. Lists each title that is
// elsewhere now, and each that is gone; -- --new lists those that have come.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import ts from 'typescript'

const { values, positionals } = parseArgs({
  options: { new: { type: 'boolean' } },
  allowPositionals: true,
})
const [before] = positionals
if (before === undefined) {
  console.error('name a commit: node scripts/titles.mjs HEAD~10')
  process.exit(2)
}
const [then, now] = [titlesOf(before), titlesOf('HEAD')]
const isOf = (/** @type {Title} */ one) => (/** @type {Title} */ other) =>
  other.title === one.title && other.file === one.file
const left = then.filter((one) => !now.some(isOf(one)))
const come = now.filter((one) => !then.some(isOf(one)))
const gone = left.filter(({ title, file }) => {
  const place = come.find((other) => other.title === title)
  if (place) console.log(`moved  ${file} → ${place.file} > ${title}`)
  return place === undefined
})
for (const { file, title } of gone) console.log(`gone   ${file} > ${title}`)
if (values.new)
  for (const { file, title } of come.filter(
    ({ title }) => !left.some((one) => one.title === title),
  ))
    console.log(`new    ${file} > ${title}`)
console.log(
  `${then.length} titles in ${before}, ${now.length} in HEAD: ${left.length - gone.length} moved, ${gone.length} gone`,
)

/** @typedef {{ file: string, title: string }} Title */

/** The titles of a commit's tests, as they are written. @param {string} commit @returns {Title[]} */
function titlesOf(commit) {
  return git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((file) => /\.test\.(ts|mjs)$/.test(file))
    .flatMap((file) => titlesIn(git('show', `${commit}:${file}`)).map((title) => ({ file, title })))
}

/** The first text of each call of `test`, `test.each(…)` and their like. @param {string} code */
function titlesIn(code) {
  /** @type {string[]} */
  const found = []
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isCallExpression(node) && rootOf(node.expression) === 'test') {
      const [title] = node.arguments
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        found.push(title.getText().slice(1, -1))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true))
  return found
}

/** The name at the root of what is called. @param {ts.Expression} called @returns {string} */
function rootOf(called) {
  if (ts.isIdentifier(called)) return called.text
  if (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called))
    return rootOf(called.expression)
  return ''
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(stderr.trim())
  return stdout
}
