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
    name: 'history',
    summary: 'the last messages of everyone',
    load: async () => (await import('./verbs/often.ts')).OFTEN.history,
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
  { name: 'join', summary: 'register a session', load: async () => (await import('./verbs/seldom.ts')).SELDOM.join },
  {
    name: 'leave',
    summary: 'unregister a session; unread messages stay',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.leave,
  },
  {
    name: 'watch',
    summary: 'ring for unread messages, in the foreground',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.watch,
  },
  {
    name: 'gate',
    summary: 'what the guardrails let pass now, and why',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.gate,
  },
  {
    name: 'approve',
    summary: 'let the next messages to or from a session pass',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.approve,
  },
  {
    name: 'pause',
    summary: 'silence every doorbell at once',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.pause,
  },
  {
    name: 'resume',
    summary: 'let a held chain, or everything, ring again',
    load: async () => (await import('./verbs/seldom.ts')).SELDOM.resume,
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
]
