// npm run first-hour: a newcomer's first hour, in an empty home with nothing but Node and git; real clone, real npm, real tmux, a stand-in for claude.
//   npm run first-hour -- --write    puts the tables and what was seen into docs/evidence/first-hour.md
//   npm run first-hour -- --show     prints what each step says
import { parseArgs } from 'node:util'
import { table, trouble, write } from './firstHour/page.mjs'
import { PARTS } from './firstHour/steps.mjs'
import { endWorld, makeWorld, play } from './firstHour/world.mjs'

/** From the clone to a green doctor. In seconds. */
const LIMIT = 60

const { values } = parseArgs({ options: { write: { type: 'boolean' }, show: { type: 'boolean' } } })
const world = makeWorld()
/** @type {import('./firstHour/world.mjs').Played[]} */
const played = []
try {
  for (const step of PARTS.flatMap(({ steps }) => steps)) {
    const one = await play(step, world)
    played.push(one)
    const wrong = trouble(one)
    if (wrong !== undefined || values.show) console.log(`$ ${step.argv.join(' ')}\n${one.text}\n`)
    if (wrong !== undefined) console.log(`^ ${wrong}\n`)
  }
} finally {
  await endWorld(world)
}
const failures = played.filter((one) => trouble(one) !== undefined)
const seconds =
  played.filter(({ step }) => PARTS[0]?.steps.includes(step)).reduce((sum, { ms }) => sum + ms, 0) /
  1000
const summary = `From the clone to a green \`doctor\`: **${seconds.toFixed(0)} s** (limit ${LIMIT} s), of which \`npm install\`, with an empty cache, takes ${(
  (played.find(({ step }) => step.argv[1] === 'install')?.ms ?? 0) / 1000
).toFixed(0)} s.`
console.log(`${table(played)}\n\n${summary}`)
console.log(`${played.length} steps, ${failures.length} without what a newcomer needs`)
const failed = failures.length > 0 || seconds > LIMIT
if (values.write && !failed) write(played, summary)
process.exitCode = failed ? 1 : 0
