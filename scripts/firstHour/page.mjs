import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { PARTS } from './steps.mjs'

const PAGE = 'docs/evidence/first-hour.md'
const BEGIN = '<!-- first-hour: begin -->'
const END = '<!-- first-hour: end -->'

/** @typedef {import('./world.mjs').Played} Played */

/** What a newcomer typed, how it ended and how long it took. @param {Played[]} played */
export function table(played) {
  const rows = played.map(
    ({ step, exit, ms }) =>
      `| \`${lineOf(step)}\` | ${whatThere(step)} | ${exit} | ${(ms / 1000).toFixed(2)} s |`,
  )
  return ['| typed | there | exit | time |', '|---|---|---|---|', ...rows].join('\n')
}

/** Why a step is not what a newcomer needs: another exit code than is promised, or trouble with nothing to do about it. @param {Played} played */
export function trouble({ step, exit, text }) {
  if (exit !== step.exit) return `exit ${exit} instead of ${step.exit}`
  if (step.screen)
    return step.screen.shows?.test(text) === false ? 'not what the page shows' : undefined
  if (isReport(step)) return unhinted(text)
  if (exit === 0) return undefined
  return /^agent-chat: [^\n]+\n {2}hint: [^\n]*\S[^\n]*$/m.test(text) ? undefined : 'no hint'
}

/** Puts the tables and the transcripts into the page. @param {Played[]} played @param {string} summary */
export function write(played, summary) {
  const parts = PARTS.map(
    ({ title, steps }) =>
      `### ${title}\n\n${table(played.filter(({ step }) => steps.includes(step)))}`,
  )
  const forks = groups(played)
  const told = [...forks].map(
    ([fork, steps]) => `### ${fork}\n\n${steps.map(transcript).join('\n\n')}`,
  )
  const text = [machine(), summary, ...parts, '## Word for word', ...told].join('\n\n')
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${PAGE} has no ${BEGIN} … ${END}`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${text}\n${END}${after}`)
}

/** @param {Played[]} played @returns {Map<string, Played[]>} */
function groups(played) {
  const found = new Map()
  for (const one of played)
    if (one.step.fork) found.set(one.step.fork, [...(found.get(one.step.fork) ?? []), one])
  return found
}

/** @param {Played} played */
function transcript({ step, text }) {
  return `\`\`\`\n$ ${lineOf(step)}\n${text}\n\`\`\``
}

/** @param {import('./steps.mjs').Step} step */
function lineOf({ argv }) {
  if (argv[0] === 'git') return 'git clone <repo-url> ~/src/agent-chat'
  if (argv.length === 1 && argv[0]?.includes(' ')) return argv[0]
  return argv.map((arg) => (/^[\w@./:=-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ')
}

/** @param {import('./steps.mjs').Step} step */
function whatThere({ argv, has, terminal, screen }) {
  const programs = [
    'Node, git',
    ...['tmux', 'claude', 'codex'].filter((name) => has.includes(name)),
  ].join(', ')
  return argv[0] === 'agent-chat' && !terminal && !screen ? `${programs}, in a script` : programs
}

/** @param {import('./steps.mjs').Step} step */
function isReport({ argv }) {
  return argv.includes('setup') || argv.includes('doctor')
}

/** Every line of trouble in a report has one below it that says what to do. @param {string} text */
function unhinted(text) {
  const lines = text.split('\n')
  const bad = lines.find(
    (line, at) => /^(failed|warning) /.test(line) && !lines[at + 1]?.startsWith('   '),
  )
  return bad === undefined ? undefined : `no hint below: ${bad}`
}

function machine() {
  const memory = Math.round(totalmem() / 1024 ** 3)
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${type()} ${release()} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GiB; Node ${process.version}.`
}
