import type { Verb } from './verb.ts'

/**
 * Every command, in the order of the help: the one list from which the help, the
 * reserved names, the gate's own verbs, completion and the console's words are made.
 */
export const VERBS = [
  {
    word: 'start',
    group: 'Sessions',
    summary: 'Start a session of Claude Code or another agent',
    needs: 'settings',
  },
  {
    word: 'attach',
    group: 'Sessions',
    summary: 'Show the terminal of a session that runs in tmux',
  },
  {
    word: 'stop',
    group: 'Sessions',
    summary: "End a session's agent; unread messages stay",
    slash: { usage: '@name', takes: 'name' },
  },
  {
    word: 'join',
    group: 'Sessions',
    summary: 'Register this session under a name',
    needs: 'settings',
  },
  {
    word: 'leave',
    group: 'Sessions',
    summary: 'Unregister a session; its agent keeps running',
  },
  {
    word: 'rename',
    group: 'Sessions',
    summary: 'Rename a session; its inbox and conversations stay',
  },
  {
    word: 'who',
    group: 'Sessions',
    summary: 'List the sessions: pane, state, unread messages',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'status',
    group: 'Sessions',
    summary: 'Show what a session is doing, and its tasks',
    free: true,
    slash: { usage: '[@name]', takes: 'name' },
  },
  {
    word: 'whoami',
    group: 'Sessions',
    summary: 'Print the name that this command speaks under',
    free: true,
  },
  { word: 'send', group: 'Messages', summary: 'Send a message to one session', free: true },
  {
    word: 'ask',
    group: 'Messages',
    summary: 'Ask a session a question and wait for the answer',
    free: true,
  },
  { word: 'reply', group: 'Messages', summary: 'Answer a message, in its thread', free: true },
  {
    word: 'inbox',
    group: 'Messages',
    summary: 'Print unread messages and mark them read',
    free: true,
  },
  {
    word: 'show',
    group: 'Messages',
    summary: 'Show one message and its delivery state',
    free: true,
    slash: { usage: '<id>', takes: 'id' },
  },
  {
    word: 'thread',
    group: 'Messages',
    summary: 'Show the whole conversation of a message, oldest first',
    free: true,
    slash: { usage: '<id>', takes: 'id' },
  },
  {
    word: 'history',
    group: 'Messages',
    summary: 'List the last messages of all sessions, oldest first',
    free: true,
    slash: { usage: '[count] [--with @name]', takes: 'name' },
  },
  {
    word: 'search',
    group: 'Messages',
    summary: 'Find messages by words, newest first',
    free: true,
    slash: { usage: 'words' },
  },
  {
    word: 'task',
    group: 'Tasks',
    summary: 'Give a session a task and follow its state',
    free: true,
  },
  {
    word: 'tasks',
    group: 'Tasks',
    summary: 'List tasks and their states, oldest first',
    free: true,
    slash: { usage: '[--open]' },
  },
  { word: 'accept', group: 'Tasks', summary: 'Accept a task', free: true },
  { word: 'decline', group: 'Tasks', summary: 'Decline a task and say why', free: true },
  { word: 'done', group: 'Tasks', summary: 'Finish a task, with its result', free: true },
  { word: 'fail', group: 'Tasks', summary: 'Give up a task and say why', free: true },
  {
    word: 'agents',
    group: 'Workers',
    summary: 'List, check and allow the agents that work alone',
    slash: { usage: '' },
  },
  { word: 'work', group: 'Workers', summary: 'Run one worker in this terminal' },
  {
    word: 'up',
    group: 'Workers',
    summary: 'Start workers in the background and keep them running',
    slash: { usage: '[name]', takes: 'name' },
  },
  {
    word: 'down',
    group: 'Workers',
    summary: 'End workers; each one finishes its turn',
    slash: { usage: '[name]', takes: 'name' },
  },
  {
    word: 'restart',
    group: 'Workers',
    summary: 'End a worker and start it again',
    slash: { usage: '@name', takes: 'name' },
  },
  {
    word: 'health',
    group: 'Workers',
    summary: 'Show which workers are healthy, and why others are not',
    free: true,
    slash: { usage: '' },
  },
  { word: 'schedule', group: 'Workers', summary: 'Give a worker the same task at set times' },
  {
    word: 'logs',
    group: 'Workers',
    summary: 'Show what a worker has printed',
    free: true,
    slash: { usage: '@name', takes: 'name' },
  },
  {
    word: 'conversations',
    group: 'Workers',
    summary: 'List the conversations of a worker',
    free: true,
  },
  {
    word: 'console',
    group: 'You',
    summary: 'Open the console: see every message, write, answer',
    needs: 'settings',
  },
  { word: 'escalate', group: 'You', summary: 'Ask the human for a decision', free: true },
  {
    word: 'gate',
    group: 'Guardrails',
    summary: 'Show what the guardrails allow now, and why',
    free: true,
    slash: { usage: '[name]', takes: 'name' },
  },
  {
    word: 'approve',
    group: 'Guardrails',
    summary: "Let a session's messages pass without asking you",
    free: true,
    slash: { usage: '@peer --as @session', takes: 'name' },
  },
  {
    word: 'pause',
    group: 'Guardrails',
    summary: 'Pause all notifications; messages are kept',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'unpause',
    group: 'Guardrails',
    summary: 'Turn notifications on again and release held messages',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'release',
    group: 'Guardrails',
    summary: 'Release the held messages of one chain',
    free: true,
    slash: { usage: '<chain>', takes: 'chain' },
  },
  {
    word: 'resume',
    group: 'Guardrails',
    summary: 'Old name of release and unpause',
    free: true,
    hidden: true,
  },
  {
    word: 'stats',
    group: 'Archive',
    summary: 'Count messages and tokens, by session, pair and day',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'export',
    group: 'Archive',
    summary: 'Write messages to one markdown or JSON file',
  },
  { word: 'prune', group: 'Archive', summary: 'Remove old, finished conversations' },
  {
    word: 'watch-file',
    group: 'Archive',
    summary: 'Send a session a short diff whenever a file changes',
  },
  {
    word: 'setup',
    group: 'Setup',
    summary: 'Install what is missing and prove that it works',
    needs: 'nothing',
  },
  {
    word: 'doctor',
    group: 'Setup',
    summary: 'Check and repair the installation and the home',
    needs: 'nothing',
  },
  {
    word: 'completion',
    group: 'Setup',
    summary: 'Print the script that completes commands with Tab',
    needs: 'nothing',
  },
  {
    word: 'help',
    group: 'Setup',
    summary: 'Show help for a command, exit-codes or environment',
    needs: 'nothing',
    free: true,
  },
  {
    word: 'watch',
    group: 'Setup',
    summary: "Ring for a session's unread messages, in the foreground",
    needs: 'nothing',
    hidden: true,
  },
] as const satisfies readonly Verb[]

export type Word = (typeof VERBS)[number]['word']

/** The command of this word, or undefined. */
export function verbOf(word: string | undefined): (Verb & { word: Word }) | undefined {
  return VERBS.find((verb) => verb.word === word)
}
