import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ms, ratio, spread, table, two } from './group.mjs'
import { STRANGER_LIMIT_MS } from './limits.mjs'
import { mark } from './marks.mjs'
import { runProgram, startAgent } from './process.mjs'
import { summarize } from './stats.mjs'

/** The hook that stands before every call of a tool. */
const WORD = 'pre-tool-use'

/** @typedef {{ name: string, argv: string[] }} Row */

/**
 * A hook as `hooks.json` has Claude Code run it, from the shell on, in a session that never joined, where others are registered: beside a shell and a Node that do nothing.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function strangerGroup({ directory, program, rounds, ready, say }) {
  const head = [`### A hook in a session that never joined, ${rounds} rounds`, '']
  if (process.platform !== 'linux')
    return {
      lines: [...head, 'Such a session is known without a program on Linux alone.'],
      checks: [],
    }
  say('beginning a session that never joins')
  const { env, nodes, hook, close } = await stranger(join(directory, 'stranger'), program)
  const rows = [
    { name: '`sh -c :`', argv: ['/bin/sh', '-c', ':'] },
    { name: '`node -e 0`', argv: [process.execPath, '-e', '0'] },
    { name: `hook ${WORD}`, argv: hook(WORD) },
  ]
  const times = rows.map(() => /** @type {number[]} */ ([]))
  for (const { argv } of rows) runProgram(argv, env)
  for (let round = 0; round < rounds; round += 1) {
    ready()
    for (const [at, { argv }] of rows.entries()) times[at]?.push(runProgram(argv, env).ms)
  }
  close()
  if (existsSync(nodes)) throw new Error(`the hook started Node: ${readFileSync(nodes, 'utf8')}`)
  const [shell = [], , own = []] = times
  const check = {
    what: `hook ${WORD}, never joined, ms`,
    summary: summarize(own),
    limit: STRANGER_LIMIT_MS,
  }
  const lines = rows.map(({ name }, at) =>
    lineOf(name, times[at] ?? [], shell, at === 2 ? STRANGER_LIMIT_MS : undefined),
  )
  return { lines: [...head, ...table(HEAD, lines)], checks: [check] }
}

const HEAD = ['what runs', 'median', 'quartiles', '÷ `sh -c :`', 'limit']

/**
 * @param {string} name
 * @param {number[]} times
 * @param {number[]} shell
 * @param {number} [limit]
 */
function lineOf(name, times, shell, limit) {
  const time = summarize(times)
  const over = summarize(times.map((one, round) => one / (shell[round] ?? Number.NaN)))
  const marked = `**${ms(time)}**${mark(time, limit)}`
  return [name, marked, `${spread(time)} ms`, ratio(over), limit ? `${two(limit)} ms` : '']
}

/**
 * A home in which another session is registered, and this process as a Claude Code that has begun beside it. `nodes`: a file that each Node of a hook leaves.
 * @param {string} directory
 * @param {import('./group.mjs').Program} program
 */
async function stranger(directory, program) {
  const [home, bin, data, nodes] = ['home', 'bin', 'data', 'nodes'].map((name) =>
    join(directory, name),
  )
  if (!home || !bin || !data || !nodes) throw new Error('no places')
  mkdirSync(bin, { recursive: true })
  writeFileSync(
    join(bin, 'node'),
    `#!/bin/sh\necho "$@" >>'${nodes}'\nexec '${process.execPath}' "$@"\n`,
  )
  chmodSync(join(bin, 'node'), 0o755)
  const other = await startAgent(program.script, 'other', { ...program.env, AGENT_CHAT_HOME: home })
  const env = {
    ...{ ...program.env, PATH: `${bin}:/usr/bin:/bin`, AGENT_CHAT_HOME: home },
    ...{ CLAUDE_PID: String(process.pid), CLAUDE_PLUGIN_DATA: data },
  }
  const hook = commandsOf(dirname(dirname(program.script)))
  runProgram(hook('session-start'), env)
  if (!existsSync(nodes)) throw new Error('the hook of SessionStart started no Node')
  rmSync(nodes)
  return { env, nodes, hook, close: () => other.kill() }
}

/**
 * How `hooks.json` has the hook of a word run.
 * @param {string} root
 */
function commandsOf(root) {
  const { hooks } = JSON.parse(readFileSync(join(root, 'hooks', 'hooks.json'), 'utf8'))
  /** @type {{ command: string, args: string[] }[]} */
  const all = Object.values(hooks).flatMap((groups) =>
    groups.flatMap((/** @type {{ hooks: unknown[] }} */ group) => group.hooks),
  )
  return (/** @type {string} */ word) => {
    const found = all.find(({ args }) => args.at(-1) === word)
    if (!found) throw new Error(`hooks.json has no hook ${word}`)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what Claude Code replaces.
    return [found.command, ...found.args].map((arg) => arg.replace('${CLAUDE_PLUGIN_ROOT}', root))
  }
}
