import { spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { asHuman } from '../../../scripts/asHuman.mjs'
import { IS_NATIVE, preloading, RUNTIME } from '../../../scripts/runtime.mjs'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * @typedef {ReturnType<typeof openPlace>} Place
 * @typedef {{ pid: number, args: string[] }} Running
 */

/** Each process says its live heap when it is asked: see `heap.mjs`. */
const HEAP = preloading(
  join(ROOT, 'test', 'soak', 'heap.mjs'),
  IS_NATIVE ? {} : { NODE_OPTIONS: '--expose-gc' },
)

/**
 * A home with these workers, a stand-in for their client, and a tmux server of its own. `settings`: a line of a worker's front matter, where it is not
 * to be persistent.
 * @param {string[]} names
 * @param {Record<string, string>} settings
 * @param {boolean} tellsHeap whether its processes say their live heap
 */
export function openPlace(names, settings = {}, tellsHeap = false) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-workers-'))
  const [home, bin, client, heap] = ['home', 'bin', 'client', 'heap'].map((one) =>
    join(directory, one),
  )
  if (!home || !bin || !client || !heap) throw new Error('no directory')
  mkdirSync(heap)
  mkdirSync(join(home, 'agents'), { recursive: true, mode: 0o700 })
  mkdirSync(bin)
  symlinkSync(join(ROOT, 'test', 'worker', 'client.mjs'), join(bin, 'claude'))
  for (const name of names) {
    const line = settings[name] ?? 'persistent: true'
    writeFileSync(join(home, 'agents', `${name}.md`), definition(name, line))
  }
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    ...{ HOME: directory, LANG: 'C.UTF-8', TERM: 'xterm-256color', TMUX_TMPDIR: directory },
    ...{ AGENT_CHAT_HOME: home, STAND_IN_DIR: client },
    ...(tellsHeap ? { HEAP_DIRECTORY: heap, ...HEAP } : {}),
  }
  /** @param {string[]} args @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} */
  const run = (...args) => (/^(up|restart)$/.test(args[0] ?? '') ? typed(args) : direct(args))
  /** @param {string[]} args */
  const typed = (args) =>
    asHuman([RUNTIME, join(ROOT, 'dist', 'main.js'), ...args], {
      env: /** @type {{ [name: string]: string }} */ (env),
      cwd: directory,
      limitMs: 120_000,
    })
  /** @param {string[]} args @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} */
  const direct = (args) =>
    new Promise((resolve) => {
      const child = spawn(RUNTIME, [join(ROOT, 'dist', 'main.js'), ...args], {
        ...{ env, cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] },
      })
      const said = { stdout: '', stderr: '' }
      child.stdout?.on('data', (chunk) => (said.stdout += chunk))
      child.stderr?.on('data', (chunk) => (said.stderr += chunk))
      child.on('close', (code) => resolve({ code, ...said }))
    })
  const processes = () => processesOf(home)
  return {
    ...{ directory, home, client, run, processes },
    /** Runs a command that must work. @param {string[]} args */
    fine: async (...args) => {
      const done = await run(...args)
      if (done.code !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}${done.stdout}`)
    },
    /** The memory of the supervisor and of its workers' own processes, in MB. */
    memory: () => ({
      supervisor: processes().filter(isSupervisor).map(memoryOf),
      workers: processes().filter(isWorker).map(memoryOf),
    }),
    /** What is in use in a process after a collection, in MB: its data, and the code that V8 has compiled. @param {number} pid */
    heap: (pid) => heapOf(join(heap, String(pid)), pid),
    /** @param {boolean} keep */
    close: (keep) => {
      spawnSync('tmux', ['kill-server'], { env, stdio: 'ignore' })
      for (const { pid } of processes()) process.kill(pid, 'SIGKILL')
      if (!keep) rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** @param {Running} one */
export const isSupervisor = ({ args }) => args.includes('--foreground')
/** @param {Running} one */
export const isWorker = ({ args }) => args.includes('--supervised') && !args.includes('-c')
/** @param {Running} one */
export const isClient = ({ args }) => args.includes('--input-format')

/** What runs the program, and the stand-in. */
const PROGRAMS = ['node', basename(RUNTIME)]

/** What runs in this home and is a program of ours, or the stand-in. @param {string} home */
function processesOf(home) {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const args = wordsIn(`/proc/${entry}/cmdline`)
    const isOurs = wordsIn(`/proc/${entry}/environ`).includes(`AGENT_CHAT_HOME=${home}`)
    return isOurs && PROGRAMS.includes(basename(args[0] ?? ''))
      ? [{ pid: Number(entry), args }]
      : []
  })
}

/** @param {string} path */
function wordsIn(path) {
  try {
    return readFileSync(path, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** @param {string} file @param {number} pid */
async function heapOf(file, pid) {
  const before = readFileSync(file, 'utf8').length
  process.kill(pid, 'SIGUSR2')
  for (const began = Date.now(); Date.now() - began < 5000; ) {
    const said = readFileSync(file, 'utf8').slice(before)
    if (said.endsWith('\n')) {
      const [all = 0, code = 0] = said.split(' ').map((bytes) => Number(bytes) / 1024 / 1024)
      return { data: all - code, code }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`process ${pid} does not say its heap`)
}

/** @param {Running} one */
function memoryOf({ pid }) {
  const text = wordsIn(`/proc/${pid}/smaps_rollup`).join('')
  const mb = (/** @type {string} */ what) =>
    Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { rss: mb('Rss'), pss: mb('Pss'), own: mb('Private_Dirty') }
}

/** @param {string} name @param {string} line */
function definition(name, line) {
  return `---\nauto_start: true\n${line}\n---\n# ${name}\n\n## Description\n\nAnswers.\n\n## Allowed Tools\n\n- read\n\n## System Prompt\n\nAnswer.\n`
}
