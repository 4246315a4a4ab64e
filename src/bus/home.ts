import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { CodedError } from '../errors.ts'
import { makeDirectory } from '../system/files.ts'
import { userId } from '../system/user.ts'
import { inHome } from './homeError.ts'

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

/**
 * Every path under a home; nothing else knows one. Callers check names and ids before.
 *
 * A class makes a path when somebody asks for it. An object of 121 ready paths cost each command
 * 0.2 ms, and calls of `node:path` would be felt as well.
 */
// biome-ignore format: a table, one place a line
export class Home {
  readonly root: string
  constructor(root: string) { this.root = root }
  get sessions() { return `${this.root}/sessions.json` }
  get names() { return `${this.root}/names.json` }
  get messages() { return `${this.root}/messages` }
  message(id: string) { return `${this.root}/messages/${id}.md` }
  get inboxes() { return `${this.root}/inbox` }
  inbox(name: string) { return `${this.root}/inbox/${name}` }
  unread(name: string, id: string) { return `${this.root}/inbox/${name}/${id}.md` }
  readDirectory(name: string) { return `${this.root}/inbox/${name}/read` }
  read(name: string, id: string) { return `${this.root}/inbox/${name}/read/${id}.md` }
  badDirectory(name: string) { return `${this.root}/inbox/${name}/bad` }
  readerLock(name: string) { return `${this.root}/inbox/${name}/.reader` }
  get processList() { return `${this.root}/processes` }
  get history() { return `${this.root}/history.log` }
  get bells() { return `${this.root}/bells` }
  bell(name: string) { return `${this.root}/bells/${name}` }
  ring(name: string) { return `${this.root}/bells/${name}/ring` }
  ringAgain(name: string) { return `${this.root}/bells/${name}/again` }
  get pids() { return `${this.root}/pids` }
  pid(name: string) { return `${this.root}/pids/${name}.pid` }
  get watcherPid() { return `${this.root}/pids/@watcher.pid` }
  get watcherLock() { return `${this.root}/pids/@watcher.lock` }
  get watcherRest() { return `${this.root}/pids/@watcher.rest` }
  get needsLine() { return `${this.root}/pids/@watcher.line` }
  get ringerPid() { return `${this.root}/pids/@ringer.pid` }
  ringLock(name: string) { return `${this.root}/pids/${name}.ring` }
  get states() { return `${this.root}/state` }
  state(name: string) { return `${this.root}/state/${name}.json` }
  get launches() { return `${this.root}/launched` }
  launched(name: string) { return `${this.root}/launched/${name}.json` }
  resumeLock(conversation: string) { return `${this.root}/launched/@${conversation}.lock` }
  get logs() { return `${this.root}/logs` }
  waiting(name: string) { return `${this.root}/state/${name}.waiting.json` }
  rings(name: string) { return `${this.root}/state/${name}.rings.json` }
  ringsLock(name: string) { return `${this.root}/state/${name}.rings.lock` }
  stateLock(name: string) { return `${this.root}/state/${name}.lock` }
  get presence() { return `${this.root}/state/@you.json` }
  get joinsBell() { return `${this.root}/bells/@joins` }
  get paused() { return `${this.root}/paused` }
  get held() { return `${this.root}/held` }
  heldBy(name: string) { return `${this.root}/held/${name}` }
  get toldChains() { return `${this.root}/gate/@told` }
  releasedChain(chain: string) { return `${this.root}/gate/@told/${chain}.released` }
  get gates() { return `${this.root}/gate` }
  gate(name: string) { return `${this.root}/gate/${name}.json` }
  gateLock(name: string) { return `${this.root}/gate/${name}.lock` }
  reads(name: string) { return `${this.root}/state/${name}.reads.json` }
  get threads() { return `${this.root}/threads` }
  thread(id: string) { return `${this.root}/threads/${id}` }
  get tasks() { return `${this.root}/tasks` }
  get allTasks() { return `${this.root}/tasks/all` }
  get openTasks() { return `${this.root}/tasks/open` }
  openTask(id: string) { return `${this.root}/tasks/open/${id}` }
  get servers() { return `${this.root}/run` }
  get agentSetups() { return `${this.root}/setup` }
  agentSetup(agent: string) { return `${this.root}/setup/${agent}.json` }
  get words() { return `${this.root}/words` }
  word(id: string) { return `${this.root}/words/${id}.json` }
  get rooms() { return `${this.root}/rooms` }
  room(pid: number) { return `${this.root}/rooms/${pid}.json` }
  roomPrompt(pid: number) { return `${this.root}/rooms/${pid}.prompt` }
  roomJudged(pid: number) { return `${this.root}/rooms/${pid}.judged` }
  get asks() { return `${this.root}/asks` }
  ask(pid: number) { return `${this.root}/asks/${pid}.json` }
  get asksLock() { return `${this.root}/asks/.lock` }
  get pruneLock() { return `${this.root}/pids/@prune.lock` }
  get repeats() { return `${this.root}/repeats.json` }
  get repeatsLock() { return `${this.root}/pids/@repeats.lock` }
  get escalations() { return `${this.root}/escalations` }
  escalation(number: number) { return `${this.root}/escalations/${number}` }
  get search() { return `${this.root}/search` }
  get watched() { return `${this.root}/watched` }
  watchedFile(key: string) { return `${this.root}/watched/${key}.json` }
  get agents() { return `${this.root}/agents` }
  agentFile(name: string) { return `${this.root}/agents/${name}.md` }
  get workers() { return `${this.root}/workers` }
  worker(name: string) { return `${this.root}/workers/${name}.json` }
  workerLock(name: string) { return `${this.root}/workers/${name}.pid` }
  workerTurn(name: string) { return `${this.root}/workers/${name}.turn.json` }
  workerLog(name: string) { return `${this.root}/workers/${name}.log` }
  workerResult(name: string) { return `${this.root}/workers/${name}.result.json` }
  workerStream(name: string) { return `${this.root}/workers/${name}.stream` }
  workerConversations(name: string) { return `${this.root}/workers/${name}.conversations.json` }
  workerAsked(name: string) { return `${this.root}/workers/${name}.asked.json` }
  workerCosts(name: string) { return `${this.root}/workers/${name}.costs.jsonl` }
  workerOutput(name: string) { return `${this.root}/workers/${name}.out` }
  workerRun(name: string) { return `${this.root}/workers/${name}.run` }
  workerEnd(name: string) { return `${this.root}/workers/${name}.end` }
  get wanted() { return `${this.root}/workers/@wanted.json` }
  get wantedLock() { return `${this.root}/workers/@wanted.lock` }
  get supervisorPid() { return `${this.root}/workers/@supervisor.pid` }
  get supervisorLog() { return `${this.root}/workers/@supervisor.log` }
  get schedules() { return `${this.root}/workers/@schedules.json` }
  get schedulesLock() { return `${this.root}/workers/@schedules.lock` }
  get changes() { return `${this.root}/changes` }
  changesIn(repository: string) { return `${this.root}/changes/${repository}` }
  changesOf(repository: string, file: string) { return `${this.root}/changes/${repository}/${file}` }
  get claims() { return `${this.root}/claims` }
  claimsIn(repository: string) { return `${this.root}/claims/${repository}.json` }
  get web() { return `${this.root}/web` }
  get webLock() { return `${this.root}/web/server.pid` }
  get webServer() { return `${this.root}/web/server.json` }
  get webOpen() { return `${this.root}/web/open.html` }
  get webKey() { return `${this.root}/web/key` }
  get allowed() { return `${this.root}/allow.json` }
  get allowedLock() { return `${this.root}/allow.lock` }
  get trusted() { return `${this.root}/workers/@trusted.json` }
  get trustedLock() { return `${this.root}/workers/@trusted.lock` }
  get lists() { return `${this.root}/lists` }
  list(name: string) { return `${this.root}/lists/${name}.json` }
  listLock(name: string) { return `${this.root}/lists/${name}.lock` }
  get mcpServers() { return `${this.root}/mcp/servers` }
  mcpServer(pid: number) { return `${this.root}/mcp/servers/${pid}.json` }
  get mcpCalls() { return `${this.root}/mcp/calls` }
  mcpCallsOf(day: string) { return `${this.root}/mcp/calls/${day}` }
  mcpCall(day: string, key: string) { return `${this.root}/mcp/calls/${day}/${key}.json` }
  get mcpLog() { return `${this.root}/logs/mcp.jsonl` }
  get mcpLogLock() { return `${this.root}/logs/mcp.lock` }
  get bridge() { return `${this.root}/bridge` }
  get bridgeTeam() { return `${this.root}/bridge/team.json` }
  get bridgeTicket() { return `${this.root}/bridge/ticket.json` }
  get bridgeLock() { return `${this.root}/bridge/run.lock` }
  get remote() { return `${this.root}/remote` }
  get remoteMe() { return `${this.root}/remote/me.json` }
  peer(host: string) { return `${this.root}/remote/${host}` }
  peerFile(host: string) { return `${this.root}/remote/${host}/peer.json` }
  peerRan(host: string) { return `${this.root}/remote/${host}/ran.json` }
  peerSeen(host: string) { return `${this.root}/remote/${host}/seen.json` }
  out(host: string) { return `${this.root}/remote/${host}/out` }
  outgoing(host: string, id: string) { return `${this.root}/remote/${host}/out/${id}.md` }
  refusedThere(host: string, id: string) { return `${this.root}/remote/${host}/refused/${id}.md` }
  peerBad(host: string) { return `${this.root}/remote/${host}/bad` }
  peerPruned(host: string) { return `${this.root}/remote/${host}/pruned` }
  receipts(host: string) { return `${this.root}/remote/${host}/receipts.json` }
  laneLock(host: string) { return `${this.root}/remote/${host}/lane.lock` }
  receiveLock(host: string) { return `${this.root}/remote/${host}/receive.lock` }
  farEndLock(host: string) { return `${this.root}/remote/${host}/end.lock` }
  linkLock(host: string) { return `${this.root}/remote/${host}/link.lock` }
  watcherLog(name: string) { return `${this.root}/logs/${name}.log` }
  get unlistedTools() { return `${this.root}/logs/tools.txt` }
  get hookLog() { return `${this.root}/logs/hooks.log` }
}

/** The places of the home at `root`, an absolute path. */
export function homeAt(root: string): Home {
  return new Home(root)
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
