import type { Word } from '../message/verbs.ts'
import type { AddVerb } from './command.ts'

/** Where each command is. Its file is loaded only when it is run. */
export const LOAD: Record<Word, () => Promise<AddVerb>> = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  attach: async () => (await import('./commands/attach.ts')).attachCommand,
  stop: async () => (await import('./commands/stop.ts')).stopCommand,
  resume: async () => (await import('./commands/resume.ts')).resumeCommand,
  whoami: async () => (await import('./commands/join.ts')).whoamiCommand,
  who: async () => (await import('./commands/who.ts')).whoCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  join: async () => (await import('./commands/join.ts')).joinCommand,
  leave: async () => (await import('./commands/join.ts')).leaveCommand,
  rename: async () => (await import('./commands/join.ts')).renameCommand,
  send: async () => (await import('./commands/send.ts')).sendCommand,
  ask: async () => (await import('./commands/ask.ts')).askCommand,
  reply: async () => (await import('./commands/reply.ts')).replyCommand,
  inbox: async () => (await import('./commands/inbox.ts')).inboxCommand,
  show: async () => (await import('./commands/show.ts')).showCommand,
  thread: async () => (await import('./commands/show.ts')).threadCommand,
  history: async () => (await import('./commands/history.ts')).historyCommand,
  search: async () => (await import('./commands/search.ts')).searchCommand,
  task: async () => (await import('./commands/task.ts')).taskCommand,
  tasks: async () => (await import('./commands/tasks.ts')).tasksCommand,
  accept: async () => (await import('./commands/progress.ts')).acceptCommand,
  decline: async () => (await import('./commands/progress.ts')).declineCommand,
  done: async () => (await import('./commands/progress.ts')).doneCommand,
  fail: async () => (await import('./commands/progress.ts')).failCommand,
  claim: async () => (await import('./commands/claim.ts')).claimCommand,
  up: async () => (await import('./commands/workers.ts')).upCommand,
  down: async () => (await import('./commands/workers.ts')).downCommand,
  restart: async () => (await import('./commands/workers.ts')).restartCommand,
  health: async () => (await import('./commands/workers.ts')).healthCommand,
  logs: async () => (await import('./commands/workers.ts')).logsCommand,
  agents: async () => (await import('./commands/agents.ts')).agentsCommand,
  work: async () => (await import('./commands/work.ts')).workCommand,
  conversations: async () => (await import('./commands/conversations.ts')).conversationsCommand,
  schedule: async () => (await import('./commands/schedule.ts')).scheduleCommand,
  link: async () => (await import('./commands/links.ts')).linkCommand,
  links: async () => (await import('./commands/links.ts')).linksCommand,
  unlink: async () => (await import('./commands/links.ts')).unlinkCommand,
  bridge: async () => (await import('./commands/bridge.ts')).bridgeCommand,
  console: async () => (await import('./commands/console.ts')).consoleCommand,
  web: async () => (await import('./commands/web.ts')).webCommand,
  escalate: async () => (await import('./commands/escalate.ts')).escalateCommand,
  gate: async () => (await import('./commands/gate.ts')).gateCommand,
  approve: async () => (await import('./commands/gate.ts')).approveCommand,
  allow: async () => (await import('./commands/allow.ts')).allowCommand,
  pause: async () => (await import('./commands/pause.ts')).pauseCommand,
  unpause: async () => (await import('./commands/pause.ts')).unpauseCommand,
  release: async () => (await import('./commands/pause.ts')).releaseCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  prune: async () => (await import('./commands/prune.ts')).pruneCommand,
  'watch-file': async () => (await import('./commands/watch-file.ts')).watchFileCommand,
  setup: async () => (await import('./commands/setup.ts')).setupCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  watch: async () => (await import('./commands/watch.ts')).watchCommand,
  room: async () => (await import('./commands/room.ts')).roomCommand,
  help: async () => (await import('./commands/help.ts')).helpCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/**
 * Where the verb stands, or the name of a session: the launcher's options may stand before it, and
 * only these of them have a value. -1 where there is none.
 */
export function firstWord(argv: string[]): number {
  const isValue = (at: number) => ['--cmd', '--agent'].includes(argv[at - 1] ?? '')
  return argv.findIndex((arg, at) => !arg.startsWith('-') && !isValue(at))
}

/** Loads these commands now, for a program whose files may be replaced before they are run. */
export function loadCommands(words: readonly Word[]): Promise<unknown> {
  return Promise.all(words.map((word) => LOAD[word]()))
}
