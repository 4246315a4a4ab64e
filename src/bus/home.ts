import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { CodedError } from '../errors.ts'
import { makeDirectory } from '../system/files.ts'
import { userId } from '../system/user.ts'
import { inHome } from './homeError.ts'

/** Every path under the home. Nothing else knows one. Callers check names and ids before. */
export type Home = ReturnType<typeof homeAt>

/**
 * `$AGENT_CHAT_HOME`, else `~/agent-chat`, as an absolute path. Throws `USAGE` for a relative one:
 * sessions in two directories would never meet.
 */
export function homePath(env: NodeJS.ProcessEnv, userHome: string): string {
  const { AGENT_CHAT_HOME: given } = env
  if (!given) return join(userHome, 'agent-chat')
  if (isAbsolute(given)) return resolve(given)
  throw new CodedError('USAGE', `AGENT_CHAT_HOME is a relative path: ${given}`, {
    hint: `use an absolute path, for example: AGENT_CHAT_HOME="$HOME/${basename(given)}"`,
  })
}

/**
 * Throws `USAGE` where `AGENT_CHAT_HOME` names a directory that does not exist, or the
 * user's own home does not. The default home, not made yet, only has nothing in it.
 */
export function requireThere({ root }: Pick<Home, 'root'>, env: NodeJS.ProcessEnv): void {
  if (existsSync(root) || (!env.AGENT_CHAT_HOME && existsSync(dirname(root)))) return
  const hint = env.AGENT_CHAT_HOME
    ? 'check AGENT_CHAT_HOME; to make a home there: agent-chat setup'
    : 'set HOME to your own directory, or AGENT_CHAT_HOME to another one'
  throw new CodedError('USAGE', `the home ${root} does not exist`, { hint })
}

export function homeAt(root: string) {
  // Plain text, not node:path: dozens of calls of it at every start would be felt.
  return {
    root,
    sessions: `${root}/sessions.json`,
    names: `${root}/names.json`,
    messages: `${root}/messages`,
    message: (id: string) => `${root}/messages/${id}.md`,
    inboxes: `${root}/inbox`,
    inbox: (name: string) => `${root}/inbox/${name}`,
    unread: (name: string, id: string) => `${root}/inbox/${name}/${id}.md`,
    readDirectory: (name: string) => `${root}/inbox/${name}/read`,
    read: (name: string, id: string) => `${root}/inbox/${name}/read/${id}.md`,
    badDirectory: (name: string) => `${root}/inbox/${name}/bad`,
    readerLock: (name: string) => `${root}/inbox/${name}/.reader`,
    history: `${root}/history.log`,
    bells: `${root}/bells`,
    bell: (name: string) => `${root}/bells/${name}`,
    ring: (name: string) => `${root}/bells/${name}/ring`,
    ringAgain: (name: string) => `${root}/bells/${name}/again`,
    pids: `${root}/pids`,
    pid: (name: string) => `${root}/pids/${name}.pid`,
    watcherPid: `${root}/pids/@watcher.pid`,
    watcherLock: `${root}/pids/@watcher.lock`,
    watcherRest: `${root}/pids/@watcher.rest`,
    ringerPid: `${root}/pids/@ringer.pid`,
    ringLock: (name: string) => `${root}/pids/${name}.ring`,
    states: `${root}/state`,
    state: (name: string) => `${root}/state/${name}.json`,
    logs: `${root}/logs`,
    waiting: (name: string) => `${root}/state/${name}.waiting.json`,
    rings: (name: string) => `${root}/state/${name}.rings.json`,
    ringsLock: (name: string) => `${root}/state/${name}.rings.lock`,
    stateLock: (name: string) => `${root}/state/${name}.lock`,
    joinsBell: `${root}/bells/@joins`,
    paused: `${root}/paused`,
    held: `${root}/held`,
    heldBy: (name: string) => `${root}/held/${name}`,
    toldChains: `${root}/gate/@told`,
    gates: `${root}/gate`,
    gate: (name: string) => `${root}/gate/${name}.json`,
    gateLock: (name: string) => `${root}/gate/${name}.lock`,
    reads: (name: string) => `${root}/state/${name}.reads.json`,
    threads: `${root}/threads`,
    thread: (id: string) => `${root}/threads/${id}`,
    tasks: `${root}/tasks`,
    allTasks: `${root}/tasks/all`,
    openTasks: `${root}/tasks/open`,
    openTask: (id: string) => `${root}/tasks/open/${id}`,
    servers: `${root}/run`,
    agentSetups: `${root}/setup`,
    agentSetup: (agent: string) => `${root}/setup/${agent}.json`,
    words: `${root}/words`,
    word: (id: string) => `${root}/words/${id}.json`,
    rooms: `${root}/rooms`,
    room: (pid: number) => `${root}/rooms/${pid}.json`,
    roomPrompt: (pid: number) => `${root}/rooms/${pid}.prompt`,
    roomJudged: (pid: number) => `${root}/rooms/${pid}.judged`,
    asks: `${root}/asks`,
    ask: (pid: number) => `${root}/asks/${pid}.json`,
    asksLock: `${root}/asks/.lock`,
    pruneLock: `${root}/pids/@prune.lock`,
    escalations: `${root}/escalations`,
    escalation: (number: number) => `${root}/escalations/${number}`,
    search: `${root}/search`,
    watched: `${root}/watched`,
    watchedFile: (key: string) => `${root}/watched/${key}.json`,
    agents: `${root}/agents`,
    agentFile: (name: string) => `${root}/agents/${name}.md`,
    workers: `${root}/workers`,
    worker: (name: string) => `${root}/workers/${name}.json`,
    workerLock: (name: string) => `${root}/workers/${name}.pid`,
    workerTurn: (name: string) => `${root}/workers/${name}.turn.json`,
    workerLog: (name: string) => `${root}/workers/${name}.log`,
    workerResult: (name: string) => `${root}/workers/${name}.result.json`,
    workerStream: (name: string) => `${root}/workers/${name}.stream`,
    workerConversations: (name: string) => `${root}/workers/${name}.conversations.json`,
    workerAsked: (name: string) => `${root}/workers/${name}.asked.json`,
    workerCosts: (name: string) => `${root}/workers/${name}.costs.jsonl`,
    workerOutput: (name: string) => `${root}/workers/${name}.out`,
    workerRun: (name: string) => `${root}/workers/${name}.run`,
    workerEnd: (name: string) => `${root}/workers/${name}.end`,
    wanted: `${root}/workers/@wanted.json`,
    wantedLock: `${root}/workers/@wanted.lock`,
    supervisorPid: `${root}/workers/@supervisor.pid`,
    supervisorLog: `${root}/workers/@supervisor.log`,
    schedules: `${root}/workers/@schedules.json`,
    schedulesLock: `${root}/workers/@schedules.lock`,
    web: `${root}/web`,
    webLock: `${root}/web/server.pid`,
    webServer: `${root}/web/server.json`,
    webOpen: `${root}/web/open.html`,
    webKey: `${root}/web/key`,
    trusted: `${root}/workers/@trusted.json`,
    trustedLock: `${root}/workers/@trusted.lock`,
    lists: `${root}/lists`,
    list: (name: string) => `${root}/lists/${name}.json`,
    listLock: (name: string) => `${root}/lists/${name}.lock`,
    mcpServers: `${root}/mcp/servers`,
    mcpServer: (pid: number) => `${root}/mcp/servers/${pid}.json`,
    mcpCalls: `${root}/mcp/calls`,
    mcpCallsOf: (day: string) => `${root}/mcp/calls/${day}`,
    mcpCall: (day: string, key: string) => `${root}/mcp/calls/${day}/${key}.json`,
    mcpLog: `${root}/logs/mcp.jsonl`,
    mcpLogLock: `${root}/logs/mcp.lock`,
    bridge: `${root}/bridge`,
    bridgeTeam: `${root}/bridge/team.json`,
    bridgeTicket: `${root}/bridge/ticket.json`,
    bridgeLock: `${root}/bridge/run.lock`,
    remote: `${root}/remote`,
    remoteMe: `${root}/remote/me.json`,
    peer: (host: string) => `${root}/remote/${host}`,
    peerFile: (host: string) => `${root}/remote/${host}/peer.json`,
    peerSeen: (host: string) => `${root}/remote/${host}/seen.json`,
    out: (host: string) => `${root}/remote/${host}/out`,
    outgoing: (host: string, id: string) => `${root}/remote/${host}/out/${id}.md`,
    refusedThere: (host: string, id: string) => `${root}/remote/${host}/refused/${id}.md`,
    peerBad: (host: string) => `${root}/remote/${host}/bad`,
    peerPruned: (host: string) => `${root}/remote/${host}/pruned`,
    receipts: (host: string) => `${root}/remote/${host}/receipts.json`,
    laneLock: (host: string) => `${root}/remote/${host}/lane.lock`,
    receiveLock: (host: string) => `${root}/remote/${host}/receive.lock`,
    linkLock: (host: string) => `${root}/remote/${host}/link.lock`,
    watcherLog: (name: string) => `${root}/logs/${name}.log`,
    hookLog: `${root}/logs/hooks.log`,
  }
}

/** The home at `root`, made or not yet made. Throws `HOME_UNUSABLE` where it is another user's. */
export function openHome(root: string): Home {
  const home = homeAt(root)
  const uid = userId()
  const owner = inHome(home, () => statSync(root, { throwIfNoEntry: false })?.uid)
  if (uid === undefined || owner === undefined || uid === owner) return home
  throw new CodedError('HOME_UNUSABLE', `the home ${root} belongs to another user (uid ${owner})`, {
    hint: 'set AGENT_CHAT_HOME to a directory of your own',
  })
}

/** A home that was removed is not to come back because somebody spoke. Throws `HOME_UNUSABLE`. */
export function requireHome({ root }: Pick<Home, 'root'>, hint: string): void {
  if (existsSync(root)) return
  throw new CodedError('HOME_UNUSABLE', `the home ${root} is gone; nothing was sent`, { hint })
}

/** Makes the home's directories where they are missing. Throws `HOME_UNUSABLE` with the reason. */
export function ensureHome(home: Home): void {
  // A clone here would become the home, and who removes the home would remove the clone.
  if (existsSync(join(home.root, '.git'))) {
    throw new CodedError('HOME_UNUSABLE', `the home ${home.root} is a git checkout`, {
      hint: 'move the checkout elsewhere, or set AGENT_CHAT_HOME to another directory',
    })
  }
  inHome(home, () => [home.root, ...homeDirectories(home)].forEach(makeDirectory))
}

/** Makes what a session needs to be written to and rung. */
export function ensureInbox(home: Home, name: string): void {
  inHome(home, () => [home.readDirectory(name), home.bell(name)].forEach(makeDirectory))
}

/** The directories that a home always has. */
export function homeDirectories(home: Home): string[] {
  return [home.messages, home.inboxes, home.bells, home.pids, home.states, home.logs]
}
