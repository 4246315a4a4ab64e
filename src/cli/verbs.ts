import type { Command } from 'commander'
import type { Ports } from './ports.ts'

/** Adds a command to the program. */
export type AddVerb = (program: Command, ports: Ports) => void

/** Every command but the launcher, in the order of the help; a command's file is loaded only when it is run. */
export const VERBS: { name: string; summary: string; load: () => Promise<AddVerb> }[] = [
  {
    name: 'send',
    summary: 'send a message to one session',
    load: async () => (await import('./commands/send.ts')).sendCommand,
  },
  {
    name: 'inbox',
    summary: 'print unread messages and mark them read',
    load: async () => (await import('./commands/inbox.ts')).inboxCommand,
  },
  {
    name: 'history',
    summary: 'the last messages of everyone',
    load: async () => (await import('./commands/history.ts')).historyCommand,
  },
  {
    name: 'show',
    summary: 'one message, with what has become of it',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'who',
    summary: 'the sessions: pane, state, unread, alive or not',
    load: async () => (await import('./commands/who.ts')).whoCommand,
  },
  { name: 'join', summary: 'register a session', load: async () => (await import('./commands/join.ts')).joinCommand },
  {
    name: 'leave',
    summary: 'unregister a session; unread messages stay',
    load: async () => (await import('./commands/leave.ts')).leaveCommand,
  },
  {
    name: 'watch',
    summary: 'ring for unread messages, in the foreground',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  {
    name: 'gate',
    summary: 'what the guardrails let pass now, and why',
    load: async () => (await import('./commands/gate.ts')).gateCommand,
  },
  {
    name: 'approve',
    summary: 'let the next messages to or from a session pass',
    load: async () => (await import('./commands/approve.ts')).approveCommand,
  },
  {
    name: 'pause',
    summary: 'silence every doorbell at once',
    load: async () => (await import('./commands/pause.ts')).pauseCommand,
  },
  {
    name: 'resume',
    summary: 'let a held chain, or everything, ring again',
    load: async () => (await import('./commands/pause.ts')).resumeCommand,
  },
  {
    name: 'doctor',
    summary: 'check and mend the installation and the home',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'setup',
    summary: 'install what is missing and prove that it works',
    load: async () => (await import('./commands/setup.ts')).setupCommand,
  },
]
