/** The parts of the help, in its order. */
const GROUPS = ['Sessions', 'Messages', 'Tasks', 'You', 'Guardrails', 'Archive', 'Setup'] as const

/** What follows a word in the console, for Tab. */
export type Argument = 'name' | 'id' | 'reply' | 'chain'

/**
 * A word of the command line. `free`: a turn that the human did not begin may use it without asking,
 * because it only reads or has rules of its own. `slash`: the console runs it as `/word`, with these
 * arguments in its help.
 */
export type Verb = {
  word: string
  group: (typeof GROUPS)[number]
  summary: string
  free?: true
  slash?: { usage: string; takes?: Argument }
}

/**
 * Every command but the launcher, in the order of the help: the one list from which the help, the
 * reserved names, the gate's own verbs, completion and the console's words are made.
 */
export const VERBS = [
  {
    word: 'who',
    group: 'Sessions',
    summary: 'the sessions: pane, state, unread, alive or not',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'status',
    group: 'Sessions',
    summary: 'what a session is doing and since when, on what task, and what has reached it',
    free: true,
    slash: { usage: '[@name]', takes: 'name' },
  },
  { word: 'join', group: 'Sessions', summary: 'register a session' },
  {
    word: 'leave',
    group: 'Sessions',
    summary: 'unregister a session; unread messages stay',
  },
  {
    word: 'rename',
    group: 'Sessions',
    summary: 'give a session another name; it keeps its inbox and its conversations',
  },
  { word: 'send', group: 'Messages', summary: 'send a message to one session', free: true },
  {
    word: 'ask',
    group: 'Messages',
    summary: 'ask a session a question and wait for its answer',
    free: true,
  },
  { word: 'reply', group: 'Messages', summary: 'answer a message, in its thread', free: true },
  {
    word: 'inbox',
    group: 'Messages',
    summary: 'print unread messages and mark them read',
    free: true,
  },
  {
    word: 'show',
    group: 'Messages',
    summary: 'one message, with what has become of it',
    free: true,
    slash: { usage: '<id>', takes: 'id' },
  },
  {
    word: 'thread',
    group: 'Messages',
    summary: 'the whole conversation of a message, oldest first',
    free: true,
    slash: { usage: '<id>', takes: 'id' },
  },
  {
    word: 'history',
    group: 'Messages',
    summary: 'the last messages of everyone, oldest first',
    free: true,
    slash: { usage: '[count] [--with @name]', takes: 'name' },
  },
  {
    word: 'search',
    group: 'Messages',
    summary: 'the messages that hold all of these words, newest first',
    free: true,
    slash: { usage: 'words' },
  },
  {
    word: 'task',
    group: 'Tasks',
    summary: 'give a session a task whose state can be followed',
    free: true,
  },
  {
    word: 'tasks',
    group: 'Tasks',
    summary: 'the tasks and their states, oldest first',
    free: true,
    slash: { usage: '[--open]' },
  },
  { word: 'accept', group: 'Tasks', summary: 'take on a task', free: true },
  { word: 'decline', group: 'Tasks', summary: 'give a task back, and say why', free: true },
  { word: 'done', group: 'Tasks', summary: 'say that a task is done, with its result', free: true },
  {
    word: 'fail',
    group: 'Tasks',
    summary: 'say that a task cannot be done, and why',
    free: true,
  },
  {
    word: 'console',
    group: 'You',
    summary: 'the room of the person at the keyboard: see, speak and stop',
  },
  { word: 'escalate', group: 'You', summary: 'ask the human for a decision', free: true },
  {
    word: 'gate',
    group: 'Guardrails',
    summary: 'what the guardrails let pass now, and why',
    free: true,
    slash: { usage: '[name]', takes: 'name' },
  },
  {
    word: 'approve',
    group: 'Guardrails',
    summary: 'let the next messages to or from a session pass without a dialog',
    free: true,
    slash: { usage: '@peer --name @session', takes: 'name' },
  },
  {
    word: 'pause',
    group: 'Guardrails',
    summary: 'silence every doorbell at once',
    free: true,
    slash: { usage: '' },
  },
  {
    word: 'resume',
    group: 'Guardrails',
    summary: 'let a held chain, or everything, ring again',
    free: true,
  },
  {
    word: 'stats',
    group: 'Archive',
    summary: 'messages and tokens, per session, per pair and over time',
    free: true,
    slash: { usage: '' },
  },
  { word: 'export', group: 'Archive', summary: 'messages as one markdown or JSON file' },
  { word: 'prune', group: 'Archive', summary: 'remove old conversations that are over' },
  {
    word: 'watch-file',
    group: 'Archive',
    summary: 'send a session a note with a short diff when a file changes',
  },
  { word: 'setup', group: 'Setup', summary: 'install what is missing and prove that it works' },
  { word: 'doctor', group: 'Setup', summary: 'check and mend the installation and the home' },
  {
    word: 'watch',
    group: 'Setup',
    summary: "ring for a session's unread messages, in the foreground",
  },
  { word: 'completion', group: 'Setup', summary: 'complete with Tab in bash, zsh and fish' },
] as const satisfies readonly Verb[]

export type Word = (typeof VERBS)[number]['word']

/** The command of this word, or undefined. */
export function verbOf(word: string | undefined): (Verb & { word: Word }) | undefined {
  return VERBS.find((verb) => verb.word === word)
}
