import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { inHome } from '../bus/homeError.ts'
import type { Check } from '../setup/check.ts'
import { freeBytes, tryDisk, watchTrouble } from '../system/disk.ts'
import { unless } from '../system/errno.ts'
import { nearestThere } from '../system/files.ts'
import { linesFromEnd } from '../system/lines.ts'
import type { Finding } from './sweep/finding.ts'

/** Below this a full disk is near; one message is 400 KB at most. In bytes. */
const LOW_BYTES = 50 * 1024 * 1024

/** Faults older than this are history. In milliseconds. */
const FAULT_MS = 24 * 60 * 60 * 1000

/** The home: there, ours, on a disk that takes what a send does. */
export function checkHome(bus: Bus): Check {
  const { root } = bus.home
  if (!existsSync(root)) {
    requireMakeable(bus.home)
    const hint = 'create it with: agent-chat setup'
    return { name: 'home', status: 'warning', detail: `${root} does not exist yet`, hint }
  }
  const { links, free } = inHome(bus.home, () => ({
    ...tryDisk(root, bus.processes.self().pid),
    free: freeBytes(root),
  }))
  const detail = `${root}, ${size(free)} free${links ? '' : ', no hard links: messages are copied'}`
  if (free >= LOW_BYTES) return { name: 'home', status: 'ok', detail }
  const hint = 'free some space: on a full disk every message is refused'
  return { name: 'home', status: 'warning', detail, hint }
}

/** A home that is not there yet has to be one that can be made. */
function requireMakeable(home: Home): void {
  // With the dot, a file in the place of a directory is told from one.
  const path = `${nearestThere(home.root)}/.`
  inHome(home, () => accessSync(path, constants.W_OK | constants.X_OK))
}

/** What a sweep found, one check for each state. */
export function checkFindings(findings: Finding[]): Check[] {
  if (findings.length === 0)
    return [{ name: 'leftovers', status: 'ok', detail: 'nothing left behind by a crash' }]
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = `${finding.what} ${finding.mended}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].map(renderGroup)
}

/** What hooks could not do in the last day. They stay silent in their sessions. */
export function checkHooks(bus: Bus): Check {
  const recent: string[] = []
  let count = 0
  for (const line of linesFromEnd(bus.home.hookLog)) {
    if (bus.clock.now() - Date.parse(line.slice(0, 24)) > FAULT_MS) break
    count += 1
    if (recent.length < 3) recent.unshift(line.slice(0, 200))
  }
  if (count === 0) return { name: 'hooks', status: 'ok', detail: 'no faults in the last day' }
  const detail = `${count} fault${count === 1 ? '' : 's'} in the last day, the last: ${recent.at(-1) ?? ''}`
  return {
    name: 'hooks',
    status: 'warning',
    detail,
    hint: `see them all with: tail ${bus.home.hookLog}`,
  }
}

/** File events, which wake watchers; without them they look every second. */
export async function checkEvents(bus: Bus): Promise<Check> {
  const trouble = existsSync(bus.home.bells) ? await watchTrouble(bus.home.bells) : undefined
  if (trouble === undefined)
    return {
      name: 'file events',
      status: 'ok',
      detail: 'they work; watchers use no CPU while they wait',
    }
  const what = trouble === 'EMFILE' ? 'instances' : 'watches'
  const hint = `raise the limit with: sudo sysctl fs.inotify.max_user_${what}=${trouble === 'EMFILE' ? 1024 : 524288}`
  const detail = `none (${trouble})${inotifyLimits()}: watchers look every second instead`
  return { name: 'file events', status: 'warning', detail, hint }
}

function inotifyLimits(): string {
  const read = (name: string) => readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8').trim()
  const limits = () =>
    ` (limits: ${read('max_user_watches')} inotify watches, ${read('max_user_instances')} instances)`
  return unless(['ENOENT'], limits) ?? ''
}

function renderGroup(group: Finding[]): Check {
  const [{ what, remedy, mended, name }] = group as [Finding]
  const paths = group.flatMap((finding) => finding.paths)
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : ''
  const about = name !== undefined && what.includes(`@${name}`) ? '' : `: ${paths[0] ?? ''}${more}`
  return {
    name: 'leftovers',
    status: mended ? 'mended' : 'warning',
    detail: `${what}${about}`,
    hint: `remedy: ${remedy}`,
  }
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.floor(bytes / 1e9)} GB`
}
