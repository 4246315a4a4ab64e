import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '../bench/process.mjs'
import { preloading } from '../scripts/runtime.mjs'
import { bodyOf, numbersIn } from './body.mjs'
import { start } from './process.mjs'

const CLOCK = fileURLToPath(new URL('./clock.cjs', import.meta.url))

/**
 * What became of a message's send: `said` that it was sent, `refused`, or `cut`: it was killed, and nobody was told. `gone` is a message that a case removed by hand.
 * @typedef {{ number: number, to: string, fate: 'said' | 'refused' | 'cut', gone: boolean, words: string, run?: Run }} Send
 *
 * An inbox's output: the numbers that it showed whole and in part, and whether the command ended well.
 * @typedef {{ whole: number[], part: number[], fine: boolean, killed: boolean }} Shown
 *
 * A command of a case: what `start` takes, and `fault`, a step to be killed (`<step>`) or stopped (`<step>:stop`) at; `preload` is a
 * file that Node loads before the program.
 * @typedef {import('./process.mjs').How & { fault?: string | undefined, lines?: number, preload?: string | undefined }} How
 * @typedef {import('./process.mjs').Run} Run
 * @typedef {ReturnType<typeof makeWorld>} World
 */

/**
 * A home with `backend` and `frontend` in it, once `open` has run, and a record of all that was done there: what was sent, shown and refused. `wrong` takes
 * what broke a promise and is no number of the table.
 * @param {string} root a directory that does not exist yet
 * @param {{ script: string, uid?: number | undefined, env?: NodeJS.ProcessEnv, home?: string, wrap?: string[] }} options `home` is where the home is to be, else in `root`
 */
export function makeWorld(root, { script, uid, env = {}, home = join(root, 'home'), wrap = [] }) {
  mkdirSync(root, { recursive: true })
  if (uid !== undefined) {
    chmodSync(root, 0o755)
    chownSync(root, uid, uid)
  }
  const clock = join(root, 'clock')
  let ahead = 0
  const base = { ...cleanEnv(join(root, 'user')), AGENT_CHAT_HOME: home, ...env }
  /** @type {Send[]} */
  const sends = []
  /** @type {Shown[]} */
  const shown = []
  /** @type {Run[]} */
  const runs = []
  /** @type {string[]} */
  const wrong = []

  /** @param {string[]} args @param {How} how */
  const launch = (args, { fault, lines: _, preload, ...how } = {}) => {
    /** @type {NodeJS.ProcessEnv} */
    const own = { ...base, ...(fault === undefined ? {} : { AGENT_CHAT_FAULT: fault }), ...how.env }
    if (preload !== undefined) Object.assign(own, preloading(preload, own))
    const job = start([script, ...args], { uid, wrap, ...how, env: own })
    const ended = job.ended.then((run) => {
      const ours = fault !== undefined && run.signal === 'SIGKILL' && !run.late
      const noted = { ...run, killed: run.killed || ours }
      runs.push(noted)
      return noted
    })
    return { ...job, ended }
  }
  /** @param {string[]} args @param {How} how */
  const run = (args, how = {}) => launch(args, how).ended

  /**
   * Starts a send of the next message; `words` are its command line with `BODY` where the body goes.
   * @param {string[]} words @param {How} how
   */
  const startSend = (words, how = {}) => {
    /** @type {Send} */
    const send = {
      number: sends.length + 1,
      to: 'frontend',
      fate: 'cut',
      gone: false,
      words: words.filter((word) => word !== 'BODY').join(' '),
    }
    sends.push(send)
    const args = words.map((word) => (word === 'BODY' ? bodyOf(send.number, how.lines) : word))
    const job = launch(args, how)
    const ended = job.ended.then((done) => {
      send.fate = fateOf(done)
      send.run = done
      return done
    })
    return { ...job, ended, send }
  }
  /** @param {How} how */
  const send = (how = {}) => startSend(['send', '@frontend', 'BODY', '--as', 'backend'], how).ended

  /** Takes what a command has printed for shown. @param {Run} done */
  const noteShown = (done) => {
    shown.push({
      ...numbersIn(done.stdout),
      fine: done.code === 0,
      killed: done.killed || done.late,
    })
    return done
  }

  /** @param {string[]} args @param {How} how */
  const startRead = (args, how = {}) => {
    const job = launch(args, how)
    return { ...job, ended: job.ended.then(noteShown) }
  }
  /** @param {How} how */
  const read = (how = {}) => startRead(['inbox', 'frontend'], how).ended

  /**
   * Runs a command that nothing is in the way of; that it does not work is a broken promise.
   * @param {string} when
   * @param {Promise<Run>} job
   */
  const fine = async (when, job) => {
    const done = await job
    if (done.code === 0) return done
    const why = done.late
      ? 'ran over its limit'
      : `ended with ${done.code ?? done.signal}: ${done.stderr.split('\n')[0]}`
    wrong.push(`${when}: agent-chat ${done.args[0]} ${why}`)
    return done
  }

  /** What runs with this in its environment has a clock that is `ms` ahead; set again, it changes for what runs then. @param {number} ms */
  const clockAhead = (ms) => {
    ahead = ms
    writeFileSync(clock, String(ms))
    return { ...preloading(CLOCK), CHAOS_CLOCK: clock }
  }

  /** Runs a command so much later, and sets the clock back to what it was. @param {string[]} args @param {number} ms */
  const runLater = async (args, ms) => {
    const before = ahead
    const done = await run(args, { env: clockAhead(before + ms) })
    clockAhead(before)
    return done
  }

  const open = async () => {
    for (const name of ['backend', 'frontend'])
      await fine('at the start', run(['join', name, '--no-watch']))
  }

  /** All that everyday use needs, after whatever has happened. @param {string} when */
  const goOn = async (when) => {
    for (const name of ['backend', 'frontend']) await fine(when, run(['join', name, '--no-watch']))
    await fine(when, send())
    await fine(when, read())
  }

  /** Reads until nothing is unread. @param {string} when */
  const drain = async (when) => {
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const before = shown.length
      const done = await fine(when, startRead(['inbox', 'frontend', '--full']).ended)
      if (done.code !== 0 || shown[before]?.whole.length === 0) return
    }
  }

  return {
    root,
    home,
    env: base,
    uid,
    sends,
    shown,
    runs,
    wrong,
    launch,
    run,
    startSend,
    send,
    startRead,
    noteShown,
    read,
    fine,
    clockAhead,
    runLater,
    open,
    goOn,
    drain,
  }
}

/**
 * Whether a send said that it was sent, by its exit code or in whichever words its command has for that.
 * @param {Run} run
 * @returns {Send['fate']}
 */
function fateOf({ code, stdout, stderr, killed, late }) {
  if (
    code === 0 ||
    /^sent \S{5} to /m.test(stdout) ||
    /agent-chat: (waiting for the answer of @|sent, but |asked(, but| as))/.test(stderr)
  )
    return 'said'
  return killed || late || code === null ? 'cut' : 'refused'
}
