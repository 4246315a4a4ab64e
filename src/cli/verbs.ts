import type { Command } from 'commander'
import type { Ports } from './ports.ts'

/** Adds a command to the program. */
export type AddVerb = (program: Command, ports: Ports) => void

/** Every command but the launcher, in the order of the help; a command's file is loaded only when it is run. */
export const VERBS: { name: string; summary: string; load: () => Promise<AddVerb> }[] = [
  {
    name: 'send',
    summary: 'send a message to one session',
    load: async () => (await import('./verbs/often.ts')).OFTEN.send,
  },
  {
    name: 'inbox',
    summary: 'print unread messages and mark them read',
    load: async () => (await import('./verbs/reading.ts')).READING.inbox,
  },
  {
    name: 'reply',
    summary: 'answer a message, in its thread',
    load: async () => (await import('./verbs/answering.ts')).ANSWERING.reply,
  },
  {
    name: 'ask',
    summary: 'ask a session a question and wait for its answer',
    load: async () => (await import('./commands/ask.ts')).askCommand,
  },
  {
    name: 'task',
    summary: 'give a session a task whose state can be followed',
    load: async () => (await import('./verbs/tasks.ts')).TASKS.task,
  },
  {
    name: 'tasks',
    summary: 'the tasks and how they stand',
    load: async () => (await import('./verbs/states.ts')).STATES.tasks,
  },
  { name: 'accept', summary: 'take on a task', load: async () => (await import('./verbs/tasks.ts')).TASKS.accept },
  {
    name: 'decline',
    summary: 'give a task back, and say why',
    load: async () => (await import('./verbs/tasks.ts')).TASKS.decline,
  },
  {
    name: 'done',
    summary: 'say that a task is done, with its result',
    load: async () => (await import('./verbs/tasks.ts')).TASKS.done,
  },
  {
    name: 'fail',
    summary: 'say that a task cannot be done, and why',
    load: async () => (await import('./verbs/tasks.ts')).TASKS.fail,
  },
  {
    name: 'escalate',
    summary: 'ask the human for a decision',
    load: async () => (await import('./verbs/answering.ts')).ANSWERING.escalate,
  },
  {
    name: 'thread',
    summary: 'the whole conversation of a message',
    load: async () => (await import('./verbs/reading.ts')).READING.thread,
  },
  {
    name: 'history',
    summary: 'the last messages of everyone',
    load: async () => (await import('./verbs/often.ts')).OFTEN.history,
  },
  {
    name: 'search',
    summary: 'the messages that hold these words',
    load: async () => (await import('./verbs/upkeep.ts')).UPKEEP.search,
  },
  {
    name: 'show',
    summary: 'one message, with what has become of it',
    load: async () => (await import('./verbs/reading.ts')).READING.show,
  },
  {
    name: 'who',
    summary: 'the sessions: pane, state, unread, alive or not',
    load: async () => (await import('./verbs/often.ts')).OFTEN.who,
  },
  {
    name: 'status',
    summary: 'what a session is doing, on what task, and what has reached it',
    load: async () => (await import('./verbs/states.ts')).STATES.status,
  },
  {
    name: 'console',
    summary: 'the room of the person at the keyboard: see, speak and stop',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.console,
  },
  { name: 'join', summary: 'register a session', load: async () => (await import('./verbs/joining.ts')).JOINING.join },
  {
    name: 'leave',
    summary: 'unregister a session; unread messages stay',
    load: async () => (await import('./verbs/joining.ts')).JOINING.leave,
  },
  {
    name: 'rename',
    summary: 'give a session another name; it keeps its inbox',
    load: async () => (await import('./verbs/joining.ts')).JOINING.rename,
  },
  {
    name: 'watch',
    summary: 'ring for unread messages, in the foreground',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.watch,
  },
  {
    name: 'watch-file',
    summary: 'a note with a diff when a file changes',
    load: async () => (await import('./verbs/files.ts')).FILES['watch-file'],
  },
  {
    name: 'gate',
    summary: 'what the guardrails let pass now, and why',
    load: async () => (await import('./verbs/guarding.ts')).GUARDING.gate,
  },
  {
    name: 'approve',
    summary: 'let the next messages to or from a session pass',
    load: async () => (await import('./verbs/guarding.ts')).GUARDING.approve,
  },
  {
    name: 'pause',
    summary: 'silence every doorbell at once',
    load: async () => (await import('./verbs/guarding.ts')).GUARDING.pause,
  },
  {
    name: 'resume',
    summary: 'let a held chain, or everything, ring again',
    load: async () => (await import('./verbs/guarding.ts')).GUARDING.resume,
  },
  {
    name: 'prune',
    summary: 'remove old conversations that are over',
    load: async () => (await import('./verbs/upkeep.ts')).UPKEEP.prune,
  },
  {
    name: 'stats',
    summary: 'messages and tokens, per session, per pair and over time',
    load: async () => (await import('./verbs/upkeep.ts')).UPKEEP.stats,
  },
  {
    name: 'export',
    summary: 'messages as one markdown or JSON file',
    load: async () => (await import('./verbs/upkeep.ts')).UPKEEP.export,
  },
  {
    name: 'doctor',
    summary: 'check and mend the installation and the home',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.doctor,
  },
  {
    name: 'setup',
    summary: 'install what is missing and prove that it works',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.setup,
  },
  {
    name: 'completion',
    summary: 'complete with Tab in bash, zsh and fish',
    // A file of its own: it is started at every Tab.
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
]
