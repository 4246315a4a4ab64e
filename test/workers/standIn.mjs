// What `agent-chat work <name> --supervised` does as far as its supervisor can see, by the contract
// of the state file. What a worker is to do wrong is in the file `behave/<name>` beside the home:
// `fail`, `exit <code>`, `once` (ends after one message), `silent` (gives
// one sign of life), `stubborn` (does not end when asked), `tree` (has a client with a tool below it,
// in sessions of their own).
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'

const home = process.env.AGENT_CHAT_HOME ?? ''
// On the native program, the script is one argument further back.
const name = process.argv[process.argv.indexOf('work') + 1] ?? ''
const behaviour = read(path.join(home, '..', 'behave', name)).trim()
const [how, code] = behaviour.split(' ')
const is = (/** @type {string} */ one) => behaviour.split(' ').includes(one)
const file = path.join(home, 'workers', `${name}.json`)
const lock = path.join(home, 'workers', `${name}.pid`)

if (how === 'exit') process.exit(Number(code))
const self = ref(process.pid)
const holder = JSON.parse(read(lock) || 'null')
if (holder && ref(holder.pid)?.started === holder.started) process.exit(8)
fs.writeFileSync(lock, JSON.stringify(self), { mode: 0o600 })
fs.appendFileSync(path.join(home, '..', 'starts'), `${name} ${process.pid}\n`)
console.log(`${name} is here: ${process.env.SECRET ?? 'no secret'}`)

const before = JSON.parse(read(file) || '{}')
const now = () => new Date().toISOString()
/** @type {Record<string, any>} */
let state = {
  name,
  activity: 'idle',
  since: now(),
  process: self,
  started: now(),
  beat: now(),
  requests: 0,
  definition: { path: '', hash: '' },
  restarts: before.restarts ?? [],
}
if (how === 'fail') {
  write({ activity: 'failed', reason: 'the key is refused', since: now() })
  process.exit(1)
} else run()

/** What a worker does that does nothing wrong at its beginning. */
function run() {
  if (is('tree')) {
    // As the client's Bash: in a session of its own, so that no group reaches it.
    const tool = `require('node:child_process').spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore' }); setInterval(() => {}, 1000)`
    const client = spawn('node', ['-e', tool], { detached: true, stdio: 'ignore' })
    write({ client: ref(client.pid), activity: 'busy' })
  } else write({})
  const inbox = path.join(home, 'inbox', name)
  fs.mkdirSync(path.join(inbox, 'read'), { recursive: true })
  const look = () => {
    for (const id of fs.readdirSync(inbox).filter((one) => one.endsWith('.md'))) {
      fs.renameSync(path.join(inbox, id), path.join(inbox, 'read', id))
      write({ requests: state.requests + 1 })
      if (is('once')) end(0)
    }
  }
  fs.watch(inbox, look)
  look()
  if (!is('silent')) setInterval(() => write({}), 30_000)
  setInterval(() => {}, 1000)
  process.on('SIGTERM', () => !is('stubborn') && end(0))
  process.on('SIGHUP', () => end(0))
  process.on('SIGINT', () => !is('stubborn') && end(0))
}

/** @param {number} exit */
function end(exit) {
  write({ activity: 'stopped', since: now() })
  fs.rmSync(lock, { force: true })
  process.exit(exit)
}

/** @param {Record<string, unknown>} change */
function write(change) {
  state = { ...state, beat: now(), ...change }
  fs.writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(state))
  fs.renameSync(`${file}.${process.pid}.tmp`, file)
}

/** @param {number | undefined} pid */
function ref(pid) {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const boot = read('/proc/sys/kernel/random/boot_id').slice(0, 8)
  return { pid, started: `${boot}-${fields[19]}` }
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
