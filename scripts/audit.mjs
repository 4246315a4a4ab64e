// Asks the registry whether a fault is known in any package of the lock file: those of the bundle, and those that build and test it. Fails for one
// of moderate weight or more. A registry that does not answer such questions, as some mirrors do not, is told of: with `--strict`, as for a release,
// that is a failure too.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { strict: { type: 'boolean', default: false } } })
const { stdout, status } = spawnSync('npm', ['audit', '--audit-level=moderate', '--json'], {
  encoding: 'utf8',
})
const answer = parse(stdout)
const known = answer?.metadata?.vulnerabilities
if (known === undefined) {
  // `npm test` knows an audit without an answer by the beginning of this line.
  console.log(
    `not known: the registry gave no answer (${answer?.message ?? answer?.error?.summary ?? 'none at all'})`,
  )
  if (values.strict) process.exitCode = 1
} else if (status === 0) {
  console.log(`no fault of moderate weight or more is known (${known.total} in all)`)
} else {
  for (const { name, severity, range } of Object.values(answer.vulnerabilities))
    console.error(`${severity}: ${name} ${range}`)
  console.error('see: npm audit')
  process.exitCode = 1
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
