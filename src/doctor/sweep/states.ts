/**
 * Every state that a crash, or a hand, can leave in a home: what it means and what mends it. `@`
 * stands for the session's name where there is one. `docs/dev/bus-format.md` tells after which step
 * each comes to be.
 */
export const STATES = {
  'wrong-mode': {
    what: 'other users may read this, or its owner may not',
    remedy: 'directories take mode 0700, files 0600',
  },
  'missing-directory': { what: 'a directory of the home is missing', remedy: 'make it, empty' },
  unpublished: {
    what: 'a sender ended while it wrote a message; it was never sent',
    remedy: 'remove the temporary file; send the message again',
  },
  'published-twice': {
    what: 'a message has its temporary name beside its own',
    remedy: 'remove the temporary name; the message stays',
  },
  undelivered: {
    what: 'a sender ended after it had published a message and before it had delivered it',
    remedy: 'deliver it now: better twice than never',
  },
  unrecorded: {
    what: 'a message was delivered, and the history does not tell of it',
    remedy: 'add it to the history, marked as mended',
  },
  unarchived: {
    what: 'a message stands in an inbox and not in messages/',
    remedy: 'link it into messages/',
  },
  unrung: {
    what: 'messages for @ are unread and its bell was not rung since',
    remedy: 'ring the bell: its doorbell looks again',
  },
  'read-unrecorded': {
    what: 'a message was read, and the history does not tell of it',
    remedy: 'add it to the history, marked as mended',
  },
  'no-message': {
    what: 'this file in messages/ is no message',
    remedy: 'look at it with cat, then move it out of messages/',
  },
  'stale-mark': {
    what: 'a note that a message must not ring is left of one that is unread no more',
    remedy: 'remove it',
  },
  'stale-ask': {
    what: 'a command that waited for an answer was killed',
    remedy: 'remove its note; wait again with: agent-chat ask --resume <id>',
  },
  unawaited: {
    what: 'an answer to @ does not ring for the sake of a command that has ended',
    remedy: 'ring for it as for any other',
  },
  unindexed: {
    what: 'the list of a conversation, or of the tasks, lacks messages that were sent',
    remedy: 'add them',
  },
  'never-sent': {
    what: 'the list of a conversation, or of the tasks, names messages that were never sent',
    remedy: 'strike them off',
  },
  'unmarked-task': { what: 'a task of @ is open, and not marked as open', remedy: 'mark it' },
  'ended-task': {
    what: 'a task is marked as open that has ended, or is gone',
    remedy: 'remove the mark',
  },
  unnumbered: {
    what: 'a decision was asked for whose number does not lead to it',
    remedy: 'write it into the file of its number',
  },
  'unused-number': {
    what: 'a sender took the number of a decision, and ended before it had asked',
    remedy: 'give the number back',
  },
  leftover: { what: 'a process ended and left a temporary file', remedy: 'remove it' },
  'old-search': {
    what: 'an earlier version kept a copy of all messages here, to search in',
    remedy: 'remove it: a search reads the messages themselves',
  },
  'stale-lock': {
    what: 'a lock is left of a process that has ended',
    remedy: 'remove it; the next process takes it over',
  },
  'broken-registry': {
    what: 'sessions.json cannot be read as a registry',
    remedy: 'keep it aside as sessions.json.broken-<time>; then each session joins again',
  },
  'half-renamed': {
    what: '@ was renamed, and some of what it has is still under its old name',
    remedy: 'move the rest; so does the same agent-chat rename again',
  },
  astray: {
    what: 'messages for @ stand in the inbox of the name that it had before',
    remedy: 'move them, and ring its bell',
  },
  'stale-handover': {
    what: 'a launcher never read what it was handed, an environment among it',
    remedy: 'remove the file',
  },
  'agent-ended': {
    what: '@ is registered, and its agent has ended',
    remedy: 'unregister it: agent-chat leave @',
  },
  'pane-gone': {
    what: '@ is registered, and its pane is gone',
    remedy: 'unregister it with: agent-chat leave @',
  },
  'watcher-killed': {
    what: 'the watcher of @ was killed',
    remedy: 'start it again where the session is alive, else forget it',
  },
} as const satisfies Record<string, { what: string; remedy: string }>

export type State = keyof typeof STATES
