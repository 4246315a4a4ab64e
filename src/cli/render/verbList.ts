import { GROUPS } from '../../message/verb.ts'
import { verbOf, verbs, type Word } from '../../message/verbs.ts'
import { TAGLINE } from '../../version.ts'

/** What a person needs on the first day, in the order in which they meet it. */
const FIRST: readonly Word[] = [
  ...(['start', 'attach', 'stop', 'who', 'send', 'ask', 'reply', 'inbox'] as const),
  ...(['task', 'console', 'pause', 'doctor'] as const),
]

/** Words that share a row, so that the whole help fits on a screen of 41 rows. */
const SHARED: readonly [words: string, summary: string][] = [
  ['start attach', 'Start a session of an agent; show its terminal'],
  ['stop resume', 'End an agent; bring sessions back after a crash'],
  ['join leave', 'Register this session under a name; unregister one'],
  ['rename whoami', 'Rename a session; print the own name'],
  ['who status', 'List the sessions; show what one is doing'],
  ['ask reply', 'Ask and wait for the answer; answer a message'],
  ['show thread', 'Show a message and how far it came; its thread'],
  ['history search', 'List the last messages; find messages by words'],
  ['task tasks', 'Give a session a task; list tasks and their states'],
  ['accept decline', 'Accept a task; decline it and say why'],
  ['done fail', 'Finish a task, with its result; give it up'],
  ['agents work', 'List the agents that work alone; run one here'],
  ['up down', 'Start workers in the background; end them'],
  ['restart health', 'Start a worker again; show which ones are healthy'],
  ['schedule logs', 'Give a worker tasks at set times; show its output'],
  ['link unlink', 'Link this home with one elsewhere; end a link'],
  ['links bridge', 'List the linked machines; join a team of them'],
  ['console web', 'Open the console; open it as a page in a browser'],
  ['gate approve', 'Show what the guardrails allow; let messages pass'],
  ['allow release', 'Let a command pass; release held messages'],
  ['pause unpause', 'Pause all notifications; turn them on again'],
  ['stats export', 'Count messages and tokens; write messages to a file'],
  ['setup doctor', 'Install and test agent-chat; check and repair it'],
  ['mcp completion', 'Serve MCP tools; print the script for Tab'],
]

const HEAD = `Usage: agent-chat <command> [options]\n\n${TAGLINE}\n\n`

const FOOT = `agent-chat <name> is short for agent-chat start <name>. Version: agent-chat -V
More: agent-chat help <command>, help exit-codes, help environment`

/** The help of the program itself: what one needs first, and where the rest is. */
export function helpOfFirst(): string {
  const rows = FIRST.map((word) => `  ${word.padEnd(10)}${verbOf(word)?.summary}\n`)
  return `${HEAD}${rows.join('')}\nEvery command: agent-chat help --all\n${FOOT}\n`
}

/** Every command, in its group. */
export function helpOfAll(): string {
  const rows = GROUPS.flatMap((group) =>
    rowsOf(group).map(
      ([words, summary], at) =>
        `${(at === 0 ? group : '').padEnd(12)}${words.replaceAll(' ', ', ').padEnd(17)}${summary}\n`,
    ),
  )
  return `${HEAD}${rows.join('')}\n${FOOT}\n`
}

function rowsOf(group: (typeof GROUPS)[number]): [words: string, summary: string][] {
  return verbs()
    .filter((verb) => verb.group === group && !verb.hidden)
    .flatMap(({ word, summary }) => {
      const shared = SHARED.find(([words]) => words.split(' ').includes(word))
      if (shared === undefined) return [[word, summary]]
      return shared[0].startsWith(`${word} `) ? [shared] : []
    })
}
