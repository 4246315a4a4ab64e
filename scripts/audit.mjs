// Asks the registry whether a fault is known in any package of the lock file: those of the bundle, and those that build and test it. Fails for one
// of moderate weight or more. A registry that does not answer such questions, as some mirrors do not, is told of and is no failure.
import { spawnSync } from 'node:child_process'

const { stdout, status } = spawnSync('npm', ['audit', '--audit-level=moderate', '--json'], { encoding: 'utf8' })
const answer = parse(stdout)
const known = answer?.metadata?.vulnerabilities
if (known === undefined) {
  console.log(`not known: the registry gave no answer (${answer?.message ?? answer?.error?.summary ?? 'none at all'})`)
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
