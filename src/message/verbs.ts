import type { GROUPS, Verb } from './verb.ts'

type Group = (typeof GROUPS)[number]

/**
 * Every command, in the order of the help: the one list from which the help, the
 * reserved names, the gate's own verbs, completion and the console's words are made.
 */
// biome-ignore format: a function around the table indents none of it
const table = () => ({
  Sessions: [
    {
      word: 'start',
      summary: 'Start a session of Claude Code or another agent',
      needs: 'settings',
    },
    { word: 'attach', summary: 'Show the terminal of a session that runs in tmux' },
    {
      word: 'stop',
      summary: "End a session's agent; unread messages stay",
      slash: { usage: '@name', takes: 'name' },
    },
    { word: 'resume', summary: 'Bring sessions back after a crash or a restart of the machine' },
    { word: 'join', summary: 'Register this session under a name', needs: 'settings' },
    { word: 'leave', summary: 'Unregister a session; its agent keeps running' },
    { word: 'rename', summary: 'Rename a session; its inbox and conversations stay' },
    { word: 'whoami', summary: 'Print the name that this command speaks under', free: true },
    {
      word: 'who',
      summary: 'List the sessions: pane, state, unread messages',
      free: true,
      slash: { usage: '' },
    },
    {
      word: 'status',
      summary: 'Show what a session is doing, and its tasks',
      free: true,
      slash: { usage: '[@name]', takes: 'name' },
    },
  ],
  Messages: [
    { word: 'send', summary: 'Send a message to one session', free: true },
    { word: 'ask', summary: 'Ask a session a question and wait for the answer', free: true },
    { word: 'reply', summary: 'Answer a message, in its thread', free: true },
    { word: 'inbox', summary: 'Print unread messages and mark them read', free: true },
    {
      word: 'show',
      summary: 'Show one message and its delivery state',
      free: true,
      slash: { usage: '<id>', takes: 'id' },
    },
    {
      word: 'thread',
      summary: 'Show the whole conversation of a message, oldest first',
      free: true,
      slash: { usage: '<id>', takes: 'id' },
    },
    {
      word: 'history',
      summary: 'List the last messages of all sessions, oldest first',
      free: true,
      slash: { usage: '[count] [--with @name]', takes: 'name' },
    },
    {
      word: 'search',
      summary: 'Find messages by words, newest first',
      free: true,
      slash: { usage: 'words' },
    },
  ],
  Tasks: [
    { word: 'task', summary: 'Give a session a task and follow its state', free: true },
    {
      word: 'tasks',
      summary: 'List tasks and their states, oldest first',
      free: true,
      slash: { usage: '[--open]' },
    },
    { word: 'accept', summary: 'Accept a task', free: true },
    { word: 'decline', summary: 'Decline a task and say why', free: true },
    { word: 'done', summary: 'Finish a task, with its result', free: true },
    { word: 'fail', summary: 'Give up a task and say why', free: true },
    { word: 'claim', summary: 'Claim files for a while, or list the claims', free: true },
  ],
  Workers: [
    {
      word: 'agents',
      summary: 'List, check and allow the agents that work alone',
      slash: { usage: '' },
    },
    { word: 'work', summary: 'Run one worker in this terminal' },
    {
      word: 'up',
      summary: 'Start workers in the background and keep them running',
      slash: { usage: '[name]', takes: 'name' },
    },
    {
      word: 'down',
      summary: 'End workers; each one finishes its turn',
      slash: { usage: '[name]', takes: 'name' },
    },
    {
      word: 'restart',
      summary: 'End a worker and start it again',
      slash: { usage: '@name', takes: 'name' },
    },
    {
      word: 'health',
      summary: 'Show which workers are healthy, and why others are not',
      free: true,
      slash: { usage: '' },
    },
    { word: 'schedule', summary: 'Give a worker the same task at set times' },
    {
      word: 'logs',
      summary: 'Show what a worker has printed',
      free: true,
      slash: { usage: '@name', takes: 'name' },
    },
    { word: 'conversations', summary: 'List the conversations of a worker', free: true },
  ],
  Machines: [
    { word: 'link', summary: 'Link this home with one on another machine, over ssh' },
    { word: 'unlink', summary: 'End a link; its machine is refused from then on' },
    {
      word: 'links',
      summary: 'List the linked machines and what is queued',
      free: true,
      slash: { usage: '' },
    },
    { word: 'bridge', summary: 'Join a team of machines over a NATS server' },
  ],
  You: [
    {
      word: 'console',
      summary: 'Open the console: see every message, write, answer',
      needs: 'settings',
    },
    {
      word: 'web',
      summary: 'Open the page: the console in a browser on this machine',
      needs: 'settings',
    },
    { word: 'escalate', summary: 'Ask the human for a decision', free: true },
  ],
  Guardrails: [
    {
      word: 'gate',
      summary: 'Show what the guardrails allow now, and why',
      free: true,
      slash: { usage: '[name]', takes: 'name' },
    },
    {
      word: 'approve',
      summary: "Let a session's messages pass without asking you",
      free: true,
      slash: { usage: '@peer --as @session', takes: 'name' },
    },
    {
      word: 'pause',
      summary: 'Pause all notifications; messages are kept',
      free: true,
      slash: { usage: '' },
    },
    {
      word: 'unpause',
      summary: 'Turn notifications on again',
      free: true,
      slash: { usage: '' },
    },
    { word: 'allow', summary: 'Let a command pass in every turn, without a dialog' },
    {
      word: 'release',
      summary: 'Release the held messages of one chain, or of all',
      free: true,
      slash: { usage: '<chain>', takes: 'chain' },
    },
  ],
  Archive: [
    {
      word: 'stats',
      summary: 'Count messages and tokens, by session, pair and day',
      free: true,
      slash: { usage: '' },
    },
    { word: 'export', summary: 'Write messages to one markdown or JSON file' },
    { word: 'prune', summary: 'Remove old, finished conversations' },
    { word: 'watch-file', summary: 'Send a session a short diff whenever a file changes' },
  ],
  Setup: [
    { word: 'setup', summary: 'Install what is missing and prove that it works', needs: 'nothing' },
    { word: 'doctor', summary: 'Check and repair the installation and the home', needs: 'nothing' },
    {
      word: 'mcp',
      summary: 'Serve these commands as MCP tools, on standard input and output',
      needs: 'nothing',
    },
    {
      word: 'completion',
      summary: 'Print the script that completes commands with Tab',
      needs: 'nothing',
    },
    {
      word: 'help',
      summary: 'Show help for a command, exit-codes or environment',
      needs: 'nothing',
      free: true,
    },
    {
      word: 'watch',
      summary: "Ring for a session's unread messages, in the foreground",
      needs: 'nothing',
      hidden: true,
    },
    { word: 'room', summary: 'Serve the room inside Claude Code', hidden: true },
  ],
} as const satisfies Record<Group, readonly Omit<Verb, 'group'>[]>)

export type Word = ReturnType<typeof table>[Group][number]['word']

let made: (Verb & { word: Word })[] | undefined

/** The table's rows in their order. Made when first asked for: most hooks never ask. */
export function verbs(): readonly (Verb & { word: Word })[] {
  made ??= Object.entries(table()).flatMap(([group, rows]) =>
    rows.map((row): Verb & { word: Word } => ({ ...row, group: group as Group })),
  )
  return made
}

/** The command of this word, or undefined. */
export function verbOf(word: string | undefined): (Verb & { word: Word }) | undefined {
  return verbs().find((verb) => verb.word === word)
}
