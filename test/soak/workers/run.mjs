// npm run soak:workers: workers that are asked while they, their clients and their supervisor are killed. Each ask must be answered exactly once.
import { parseArgs } from 'node:util'
import { randomFrom } from '../../../scripts/random.mjs'
import { writePage } from '../page.mjs'
import { judgeAnswers } from './answers.mjs'
import { killOnAndOn } from './kill.mjs'
import { renderPage } from './page.mjs'
import { openPlace } from './place.mjs'

const HELP = `usage: npm run soak:workers -- [options]          (Linux, with tmux; after npm run build)

  --workers <n>    workers, 10 by default
  --asks <n>       asks of each of them, 100 by default
  --pause <ms>     the longest time between two kills, 1500 by default
  --seed <n>       what is random begins here; the seed is printed
  --keep           leave the home where it is
  --write          put the summary into docs/evidence/workers.md
`

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '10' },
    asks: { type: 'string', default: '100' },
    pause: { type: 'string', default: '1500' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** One in so many asks takes 1.5 s, so that kills find workers in the middle of a turn. */
const SLOW = 5

if (values.help) process.stdout.write(HELP)
else process.exitCode = await main()

async function main() {
  const [asks, pauseMs, seed] = [Number(values.asks), Number(values.pause), Number(values.seed)]
  const random = randomFrom(seed)
  const names = Array.from({ length: Number(values.workers) }, (_, at) => `worker-${at + 1}`)
  const place = openPlace(names)
  console.log(`${names.length} workers, ${asks} asks each; --seed ${seed}; in ${place.directory}`)
  try {
    await place.fine('up')
    const began = performance.now()
    const kills = killOnAndOn({ place, names, random, pauseMs })
    /** @type {Map<string, string>} */
    const asked = new Map()
    /** @type {number[]} */
    const waited = []
    /** @type {string[]} */
    const unanswered = []
    await Promise.all(
      names.map((name) => askAll(name, { asks, place, random, asked, waited, unanswered })),
    )
    const killed = await kills.stop()
    await place.fine('up', ...names)
    const judged = await judgeAnswers(place, asked)
    const seconds = (performance.now() - began) / 1000
    const memory = place.memory()
    await place.fine('down')
    const left = place.processes().map(({ args }) => `left after down: ${args.join(' ')}`)
    const wrong = [...judged.wrong, ...killed.wrong, ...left]
    const summary = renderPage({
      ...{ workers: names.length, asks, pauseMs, seed, seconds },
      ...{ waited, unanswered, judged, killed, memory, wrong },
    })
    console.log(summary)
    if (values.write) writePage(summary, 'workers')
    return wrong.length > 0 ? 1 : 0
  } finally {
    place.close(values.keep)
  }
}

/**
 * Asks one worker one question after the other, each with a word of its own as the right answer.
 * @param {string} name
 * @param {{ asks: number, place: import('./place.mjs').Place, random: () => number, asked: Map<string, string>, waited: number[], unanswered: string[] }} run
 */
async function askAll(name, { asks, place, random, asked, waited, unanswered }) {
  for (let at = 1; at <= asks; at += 1) {
    const word = `${name}.${at}`
    const text = random() * SLOW < 1 ? `LATER SAY ${word}` : `SAY ${word}`
    asked.set(word, name)
    for (;;) {
      const began = performance.now()
      const said = await place.run(...['ask', `@${name}`, text, '--as', 'human'], '--json')
      if (JSON.parse(said.stdout || '{}').outcome === 'answered') {
        waited.push(performance.now() - began)
        break
      }
      // It has failed, as one does that is killed too often, or nobody would start it again.
      const why = said.stderr || said.stdout
      unanswered.push(why)
      await place.run('up', name)
      if (!why.includes('nothing was asked')) break
    }
    if (at % 20 === 0) console.log(`@${name}: ${at} asked`)
  }
}
