import { relative, resolve, sep } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import {
  allClaims,
  type Claim,
  type Claims,
  liveClaims,
  mayOverlap,
  readClaims,
} from '../changes/claims.ts'
import { hashOf } from '../changes/hash.ts'
import { agentOf } from '../changes/peers.ts'
import { realFile, treeOf } from '../changes/tree.ts'
import { CodedError } from '../errors.ts'
import { HUMAN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { visibleLine } from '../message/visible.ts'
import { makeDirectory, removeFile, replaceFile } from '../system/files.ts'
import { underPidLock } from '../system/pidlockWait.ts'
import type { ProcessRef } from '../system/processes.ts'
import { personHere } from '../trust/human/person.ts'
import { requireHuman } from './human.ts'
import { whoMaybe, whoSpeaks } from './identity.ts'
import type { Ports } from './ports.ts'

export type { Claim }

/** `take`: also what others have claimed, which is the person's alone. */
export type ClaimRequest = { patterns: string[]; forMs: number; why?: string; take: boolean }

type ClaimPorts = Pick<Ports, 'bus' | 'env' | 'cwd' | 'notice' | 'isTerminal' | 'typed'>

const MAX_PATTERN = 200
const MAX_WILD = 8
/** So many claims a repository holds, and so long one lasts at most. */
const MOST = 100
const LONGEST_MS = 24 * 3600 * 1000
const HINT = 'join first with: agent-chat join <name>; at a terminal of your own you are @human'

/** Every claim of the home that counts now. */
export function claimsNow({ bus: open }: Pick<Ports, 'bus'>): Claims[] {
  const bus = open()
  return allClaims(readSessions(bus.home), bus)
}

/**
 * Claims files for the session, or person, that speaks: all of them, or nothing. Throws `NAME_TAKEN`
 * where the claim of another may overlap, `NO_REPOSITORY`, and `USAGE` for an invalid pattern.
 */
export async function claim(
  { patterns, forMs, why, take }: ClaimRequest,
  ports: ClaimPorts,
): Promise<Claim[]> {
  if (take) requireHuman('claim --take', ports)
  if (forMs > LONGEST_MS)
    throw new CodedError('USAGE', 'a claim lasts at most 24h', { hint: 'for example: --for 2h' })
  const me = await speaker(ports)
  const { common, wanted } = within(patterns, ports.cwd)
  const bus = ports.bus()
  const now = bus.clock.now()
  const fresh = wanted.map((pattern) => ({
    ...{ pattern, name: me.name, agent: me.agent },
    ...{ at: isoTime(now), until: isoTime(now + forMs) },
    ...(why ? { why: visibleLine(why).slice(0, MAX_PATTERN) } : {}),
  }))
  await change(bus, common, (claims) => {
    const isOver = (one: Claim) => fresh.some(({ pattern }) => mayOverlap(pattern, one.pattern))
    const others = claims.filter((one) => one.name !== me.name && isOver(one))
    const [first] = others
    if (first && !take) throw taken(first)
    const kept = claims.filter(
      (one) => !others.includes(one) && !(one.name === me.name && wanted.includes(one.pattern)),
    )
    if (kept.length + fresh.length > MOST)
      throw new CodedError('USAGE', `a repository holds at most ${MOST} claims`, {
        hint: 'claim a folder instead of its files',
      })
    return [...kept, ...fresh]
  })
  record(bus, 'claimed', { name: me.name, patterns: wanted, until: fresh[0]?.until })
  return fresh
}

/** Gives back claims of one's own, or all of them; the person's word gives back anybody's. */
export async function release(patterns: string[], ports: ClaimPorts): Promise<Claim[]> {
  const me = await speaker(ports)
  const { common, wanted } = within(patterns.length === 0 ? ['.'] : patterns, ports.cwd)
  const bus = ports.bus()
  let given: Claim[] = []
  await change(bus, common, (claims) => {
    const isMine = (one: Claim) => one.name === me.name || me.name === HUMAN
    given = claims.filter(
      (one) => isMine(one) && (patterns.length === 0 || wanted.includes(one.pattern)),
    )
    if (given.some(({ name }) => name !== me.name)) requireHuman('claim --take', ports)
    return claims.filter((one) => !given.includes(one))
  })
  if (given.length === 0)
    throw new CodedError('SESSION_UNKNOWN', `@${me.name} has no such claim here`, {
      hint: 'see the claims with: agent-chat claim',
    })
  record(bus, 'released', { name: me.name, patterns: given.map(({ pattern }) => pattern) })
  return given
}

async function speaker(ports: ClaimPorts): Promise<{ name: string; agent: ProcessRef | null }> {
  const isYou = whoMaybe(ports) === undefined && personHere(ports).is === 'you'
  const name = isYou ? HUMAN : (await whoSpeaks(ports, undefined, undefined, HINT)).name
  if (name === HUMAN) return { name, agent: null }
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  const agent = session && agentOf(bus, session)
  if (agent) return { name, agent }
  throw new CodedError('IDENTITY_UNKNOWN', `nobody knows the process of @${name}`, { hint: HINT })
}

/** The patterns as seen from the top of the working tree in which `cwd` is. */
function within(patterns: string[], cwd: string): { common: string; wanted: string[] } {
  const tree = treeOf(cwd)
  if (!tree)
    throw new CodedError('NO_REPOSITORY', 'this directory is in no git repository', {
      hint: 'go to the one whose files you claim',
    })
  return { common: tree.common, wanted: patterns.map((pattern) => inTree(pattern, tree.tree, cwd)) }
}

function inTree(pattern: string, tree: string, cwd: string): string {
  const bad = (why: string) =>
    new CodedError('USAGE', `${why}: ${visibleLine(pattern) || '""'}`, {
      hint: "name files as seen from here, for example: agent-chat claim 'src/api/**'",
    })
  if (pattern.trim() === '') throw bad('a claim names files')
  if (pattern.startsWith('/')) throw bad('a claim is no absolute path')
  if (pattern.split('/').includes('..')) throw bad('a claim stays below this directory')
  if (pattern.length > MAX_PATTERN || visibleLine(pattern) !== pattern)
    throw bad('this is no pattern of files')
  if ((pattern.match(/[*?]+/g) ?? []).length > MAX_WILD) throw bad('too many wildcards')
  const path = relative(tree, resolve(realFile(cwd), pattern))
    .split(sep)
    .join('/')
  return path === '' ? '**' : path
}

function taken({ name, pattern, until }: Claim): CodedError {
  return new CodedError(
    'NAME_TAKEN',
    `@${name} has claimed ${visibleLine(pattern)}, until ${until}`,
    {
      hint:
        name === HUMAN
          ? 'see the claims with: agent-chat claim'
          : `ask: agent-chat ask @${name} "When are you done with it?"; see all with: agent-chat claim`,
    },
  )
}

async function change(bus: Bus, common: string, next: (claims: Claim[]) => Claim[]): Promise<void> {
  const path = bus.home.claimsIn(hashOf(common))
  makeDirectory(bus.home.claims)
  const work = () => {
    const live = liveClaims(readClaims(path)?.claims ?? [], readSessions(bus.home), bus)
    const claims = next(live)
    // Hooks look whether the file is there.
    if (claims.length === 0) removeFile(path)
    else replaceFile(path, `${JSON.stringify({ common, claims })}\n`)
  }
  const busy = ({ pid }: ProcessRef) =>
    new CodedError('LOCKED', `another claim is being made (process ${pid})`, {
      hint: 'try it again',
    })
  await underPidLock(`${path}.lock`, bus.processes, work, busy)
}
