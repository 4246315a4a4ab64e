import { relative, resolve } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { readSessions, type Sessions } from '../bus/names/registry.ts'
import { visibleLine } from '../message/visible.ts'
import { unless } from '../system/errno.ts'
import { lookAt, namesIn, removeFile } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { isProcessRef, type ProcessRef, sameProcess } from '../system/processes.ts'
import { sweepsIn } from '../trust/shell/sweeps.ts'
import { editsOf } from './edit.ts'
import { hashOf } from './hash.ts'
import type { Asked } from './meet.ts'
import { agentOf } from './peers.ts'
import { type Reach, reachAt, reachesOf, startOf } from './reach.ts'
import { realFile, treeOf, UNSEEN } from './tree.ts'

/**
 * Files of a repository that are one session's to change for a while. `pattern`: as seen from the top
 * of its trees; `agent`: the process of the session, null for the person; `until`: ISO 8601.
 */
export type Claim = {
  pattern: string
  name: string
  agent: ProcessRef | null
  at: string
  until: string
  why?: string
}

/** The claims in a repository, by git's common directory. */
export type Claims = { common: string; claims: Claim[] }

/** The claims that are in the file of a repository, whether they still count or not. */
export function readClaims(path: string): Claims | undefined {
  const value = Object(unless(['EISDIR', 'EACCES'], () => readJson(path))) as Record<
    string,
    unknown
  >
  const { common, claims } = value
  if (typeof common !== 'string' || !Array.isArray(claims)) return undefined
  return { common, claims: claims.filter(isClaim) }
}

function isClaim(value: unknown): value is Claim {
  const { pattern, name, agent, until } = Object(value) as Record<string, unknown>
  return (
    typeof pattern === 'string' &&
    typeof name === 'string' &&
    (agent === null || isProcessRef(agent)) &&
    !Number.isNaN(Date.parse(String(until)))
  )
}

/** The claims that count now: their time has not come, and their session is still here. */
export function liveClaims(
  claims: readonly Claim[],
  sessions: Sessions,
  bus: Pick<Bus, 'home' | 'processes' | 'clock'>,
): Claim[] {
  const now = bus.clock.now()
  const here = Object.values(sessions).map((one) => agentOf(bus, one))
  return claims.filter(
    ({ agent, until }) =>
      Date.parse(until) > now &&
      (agent === null ||
        (bus.processes.isAlive(agent) && here.some((one) => sameProcess(one, agent)))),
  )
}

/** Every repository of the home with claims that count now. */
export function allClaims(
  sessions: Sessions,
  bus: Pick<Bus, 'home' | 'processes' | 'clock'>,
): Claims[] {
  return namesIn(bus.home.claims).flatMap((file) => {
    const found = file.endsWith('.json') ? readClaims(`${bus.home.claims}/${file}`) : undefined
    const claims = found ? liveClaims(found.claims, sessions, bus) : []
    return found && claims.length > 0 ? [{ common: found.common, claims }] : []
  })
}

const WILD = /[*?]/

/**
 * Whether a claim covers a file, both as seen from the top of a tree: `*` and `?` within a name, `**`
 * across folders. A folder covers what is in it.
 */
export function covers(pattern: string, file: string): boolean {
  const names = file.split('/')
  // How much of the file's path the pattern so far may be, in names: no path is tried twice.
  let ends = new Set([0])
  for (const part of pattern.split('/')) {
    const next = new Set<number>()
    for (const end of ends) {
      if (part === '**') for (let at = end; at <= names.length; at += 1) next.add(at)
      else if (end < names.length && isLike(part, names[end] ?? '')) next.add(end + 1)
    }
    ends = next
  }
  return ends.size > 0
}

/** Whether a name is like a part of a pattern. After a `*` only the last one is tried again. */
function isLike(part: string, name: string): boolean {
  let [at, star, from] = [0, -1, 0]
  for (let sign = 0; sign < name.length; ) {
    if (part[at] === '*') {
      star = at
      from = sign
      at += 1
    } else if (at < part.length && (part[at] === '?' || part[at] === name[sign])) {
      at += 1
      sign += 1
    } else if (star >= 0) {
      from += 1
      sign = from
      at = star + 1
    } else return false
  }
  return /^\**$/.test(part.slice(at))
}

/** Whether two claims may cover the same file: only their beginnings without a wildcard tell. */
export function mayOverlap(one: string, other: string): boolean {
  const [a, b] = [beginOf(one), beginOf(other)]
  return a.startsWith(b) || b.startsWith(a)
}

/** What each file that is covered begins with. */
function beginOf(pattern: string): string {
  const at = pattern.search(WILD)
  return at < 0 ? pattern : pattern.slice(0, at)
}

/**
 * What an agent is told instead of a call that changes what another has claimed; undefined where
 * nobody has. Edits, and commands that take changes out of a tree, as far as they can be read.
 */
export function claimRefusal(asked: Asked): string | undefined {
  const { bus, call, cwd = '/', agent } = asked
  const { command } = call.input
  const edits = editsOf(call).map(({ path }) => reachAt(realFile(resolve(cwd, path))))
  const sweeps = typeof command === 'string' ? sweepsIn(command) : []
  const taken = sweeps.flatMap((sweep) =>
    sweep.directories.flatMap((directory) => {
      const from = startOf(directory, cwd)
      const reaches = reachesOf(sweep, from)
      return reaches === 'all' ? reachAt(treeOf(from)?.tree ?? from) : reaches
    }),
  )
  for (const reach of [...edits, ...taken]) {
    const tree = treeOf(reach.top)
    const found = tree && readClaims(bus.home.claimsIn(hashOf(tree.common)))
    if (!tree || !found) continue
    const live = liveClaims(found.claims, asked.sessions, bus)
    if (live.length === 0) forgetClaims(tree.common, bus)
    const claim = live.find(
      (one) => !sameProcess(one.agent, agent) && mayReach(reach, one.pattern, tree.tree),
    )
    const file = relative(tree.tree, reach.top)
    if (claim) return textFor(claim, file === '' ? '.' : file, bus.clock.now())
  }
  return undefined
}

/** Whether something of what is claimed, in this tree, may be in reach. */
function mayReach({ top, wild, holds }: Reach, pattern: string, tree: string): boolean {
  const file = relative(tree, top)
  const begin = beginOf(pattern)
  if (covers(pattern, file) || holds(`${tree}/${begin}`)) return true
  const isFolder = begin !== pattern || isDirectory(`${tree}/${pattern}`)
  if (wild === 'no' || !isFolder) return false
  // What both only describe may be the same where the one may be in the folder of the other.
  const folder = begin === pattern ? `${pattern}/` : begin.slice(0, begin.lastIndexOf('/') + 1)
  const here = file === '' ? '' : `${file}/`
  return here.startsWith(folder) || (wild === 'paths' && folder.startsWith(here))
}

function isDirectory(path: string): boolean {
  return unless(UNSEEN, () => lookAt(path)?.isDirectory()) ?? false
}

/**
 * Removes the file of a repository in which no claim counts any more: hooks look whether it is there.
 * While a claim is being made, it stays for the next one.
 */
function forgetClaims(common: string, bus: Bus): void {
  const path = bus.home.claimsIn(hashOf(common))
  const lock = unless(['ENOENT'], () => tryPidLock(`${path}.lock`, bus.processes))
  if (typeof lock !== 'function') return
  try {
    // One may have been made since; the sessions are read anew as well.
    const claims = readClaims(path)?.claims ?? []
    if (liveClaims(claims, readSessions(bus.home), bus).length === 0) removeFile(path)
  } finally {
    lock()
  }
}

function textFor({ pattern, name, until, why }: Claim, file: string, now: number): string {
  const minutes = Math.max(1, Math.round((Date.parse(until) - now) / 60_000))
  const asks =
    name === 'human'
      ? `agent-chat escalate "May I change ${visibleLine(file)}?"`
      : `agent-chat ask @${name} "May I change a file that you have claimed?"`
  return [
    `agent-chat: @${name} has claimed ${visibleLine(pattern)} for another ${minutes} min${why ? `: ${visibleLine(why)}` : ''}. ${visibleLine(file)} was not changed.`,
    `Work on something else, or ask: ${asks}`,
    'The same call again is refused as long as the claim lasts.',
  ].join('\n')
}
