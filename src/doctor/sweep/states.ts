/**
 * Every state that a crash, or a hand, can leave in a home: what it means and what mends it. `@`
 * stands for the session's name where there is one. `docs/dev/bus-format.md` tells after which step
 * each comes to be.
 */
export const STATES = {
  'wrong-mode': {
    what: 'other users can read this, or its owner cannot',
    remedy: 'set mode 0700 on directories, 0600 on files',
  },
  'missing-directory': { what: 'a directory of the home is missing', remedy: 'create it, empty' },
  unpublished: {
    what: 'a sender ended while it wrote a message; the message was never sent',
    remedy: 'remove the temporary file; send the message again',
  },
  'published-twice': {
    what: 'a message still has its temporary name beside its own',
    remedy: 'remove the temporary name; the message stays',
  },
  undelivered: {
    what: 'a sender ended after it published a message and before it delivered it',
    remedy: 'deliver it now; it may arrive twice',
  },
  unrecorded: {
    what: 'a message was delivered, but it is not in the history',
    remedy: 'add it to the history, marked as repaired',
  },
  unarchived: {
    what: 'a message is in an inbox but not in messages/',
    remedy: 'link it into messages/',
  },
  unrung: {
    what: 'messages for @ are unread, and its bell has not rung since',
    remedy: 'ring the bell, so that its doorbell looks again',
  },
  'read-unrecorded': {
    what: 'a message was read, but that is not in the history',
    remedy: 'add it to the history, marked as repaired',
  },
  'no-message': {
    what: 'this file in messages/ is not a message',
    remedy: 'look at it with cat, then move it out of messages/',
  },
  'stale-mark': {
    what: 'a note holds back a message that is already read',
    remedy: 'remove it',
  },
  'stale-ask': {
    what: 'a command that waited for an answer was killed',
    remedy: 'remove its note; wait again with: agent-chat ask --resume <id>',
  },
  unawaited: {
    what: 'an answer to @ does not ring because of a command that has ended',
    remedy: 'ring for it like for any other',
  },
  unindexed: {
    what: 'the list of a conversation, or of the tasks, does not have all messages that were sent',
    remedy: 'add them',
  },
  'never-sent': {
    what: 'the list of a conversation, or of the tasks, names messages that were never sent',
    remedy: 'remove them',
  },
  'unmarked-task': { what: 'a task of @ is open, but not marked as open', remedy: 'mark it' },
  'ended-task': {
    what: 'a task that has ended or is gone is marked as open',
    remedy: 'remove the mark',
  },
  unnumbered: {
    what: 'the number of a decision does not lead to it',
    remedy: 'write its id into the file of the number',
  },
  'unused-number': {
    what: 'a sender took the number of a decision and ended before it asked',
    remedy: 'free the number',
  },
  leftover: { what: 'a process ended and left a temporary file', remedy: 'remove it' },
  'old-search': {
    what: 'an earlier version kept a copy of all messages here for search',
    remedy: 'remove it; search now reads the messages themselves',
  },
  'stale-lock': {
    what: 'a process that has ended left a lock',
    remedy: 'remove it; the next process takes it over',
  },
  'broken-registry': {
    what: 'sessions.json cannot be read as a registry',
    remedy: 'move it to sessions.json.broken-<time>; then join each session again',
  },
  'half-renamed': {
    what: '@ was renamed, but some of its files still have its old name',
    remedy: 'move the rest; running the same agent-chat rename again does this as well',
  },
  astray: {
    what: 'messages for @ are in the inbox of its old name',
    remedy: 'move them and ring its bell',
  },
  'stale-handover': {
    what: 'a launcher never read the file with its environment',
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
    remedy: 'start it again if the session is alive; else remove its record',
  },
} as const satisfies Record<string, { what: string; remedy: string }>

export type State = keyof typeof STATES
