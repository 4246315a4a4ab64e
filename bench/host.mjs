// Stands for the agent's program, as far as the native doorbell goes: joins as `frontend`, watches its bell, and runs the hook `bell` when that is rung.
// Tells on standard output when it was told of a file, and when what it ran had ended. For `floor` it runs a bare node in the place of the hook, and
// for `event` nothing. Times are the monotonic clock's, in nanoseconds: one clock for all processes.
import { spawn } from 'node:child_process'
import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { runOnce } from './process.mjs'

const [script = '', hook = '', floors = ''] = process.argv.slice(2)
const env = { ...process.env, CLAUDE_PID: String(process.pid), AGENT_CHAT_NAME: 'frontend' }
const bell = join(process.env.AGENT_CHAT_HOME ?? '', 'bells', 'frontend')
const tell = (/** @type {string} */ what) =>
  process.stdout.write(`${what} ${process.hrtime.bigint()}\n`)

runOnce([script, 'join', 'frontend', '--no-watch'], { env })
runOnce([hook, 'session-start'], { env, input: '{"source":"startup"}' })
for (const name of ['event', 'floor']) mkdirSync(join(floors, name), { recursive: true })

onEach(join(floors, 'event'), () => {})
onEach(join(floors, 'floor'), () => run(['-e', '0'], ''))
onEach(bell, () =>
  run([hook, 'bell'], JSON.stringify({ file_path: join(bell, 'ring'), event: 'change' })),
)
process.stdin.on('end', () => process.exit()).resume()
tell('ready')

/**
 * Acts on the first event of a directory; what comes soon after belongs to the same ring.
 * @param {string} directory
 * @param {() => void} act
 */
function onEach(directory, act) {
  let quiet = true
  watch(directory, () => {
    if (!quiet) return
    quiet = false
    tell('event')
    setTimeout(() => {
      quiet = true
    }, 100)
    act()
  })
}

/**
 * @param {string[]} argv
 * @param {string} input
 */
function run(argv, input) {
  const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(input)
  child.on('exit', (code) => tell(`ended-${code}`))
}
