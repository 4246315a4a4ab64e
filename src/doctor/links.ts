import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import {
  isUp,
  type Peer,
  peers,
  queuedIds,
  readMe,
  readSeen,
  type Seen,
} from '../bus/remote/peers.ts'
import { timeOfId } from '../message/id.ts'
import { plural } from '../message/text.ts'
import { visibleLine } from '../message/visible.ts'
import type { Check } from '../setup/check.ts'
import { unless } from '../system/errno.ts'
import { namesIn } from '../system/files.ts'

const MAX_SKEW_MS = 5000
const OLD_MS = 60 * 60_000

/**
 * The linked machines: whether the last ping was answered, what is queued and what was refused, the
 * clocks, the versions. And the folder and the keys that they need.
 */
export function checkLinks(bus: Bus, version: string, userHome: string): Check[] {
  const { home } = bus
  const me = readMe(home)
  if (me === undefined) return []
  const checks = peers(home).flatMap((peer) => {
    const seen = readSeen(home, peer.host)
    const same = peer.host === me.host
    return [
      ...(same ? [failed(`this machine and another are both called ${me.host}`, UNLIKE)] : []),
      checkContact(bus, peer, seen),
      ...checkSeen(peer.host, seen, version),
      ...checkKept(bus, peer.host),
    ]
  })
  return [...checks, ...checkFolder(home.root), ...checkKeys(join(userHome, '.ssh'))]
}

const UNLIKE = 'unlink it, and link it again with another name: agent-chat link … --peer <name>'

function checkContact(
  { home, clock }: Bus,
  { host, dial, team }: Peer,
  seen: Seen | undefined,
): Check {
  const ids = queuedIds(home, host)
  const waits = `${plural(ids.length, 'message')} queued`
  const away = team ? `start it on both: agent-chat bridge run` : `start it on ${host}: it dials`
  const again = dial ? `start it: agent-chat link ${host}` : away
  if (seen && isUp(seen, clock.now())) {
    const detail = `${host} answered a ping in ${seen.roundTripMs} ms, ${waits}`
    const old = ids[0] !== undefined && clock.now() - timeOfId(ids[0]) > OLD_MS
    return old
      ? warning(`${detail}, the oldest for over an hour`, 'see why with: agent-chat links')
      : { name: 'link', status: 'ok', detail }
  }
  const last = seen ? agoText(clock.now() - seen.at) : 'never'
  return warning(`${host} is not linked now, last seen ${last}, ${waits}`, again)
}

/** A file's time has fractions of a millisecond that the clock lacks: it may lie just ahead. */
function agoText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  return minutes === 0 ? 'less than a minute ago' : `${plural(minutes, 'minute')} ago`
}

function checkSeen(host: string, seen: Seen | undefined, version: string): Check[] {
  if (seen === undefined) return []
  const off = Math.round(seen.skewMs / 1000)
  return [
    ...(Math.abs(seen.skewMs) > MAX_SKEW_MS
      ? [
          warning(
            `the clock of ${host} is ${Math.abs(off)} s ${off > 0 ? 'ahead' : 'behind'}`,
            'set both clocks by the network: timedatectl set-ntp true',
          ),
        ]
      : []),
    ...(seen.version !== version && seen.version !== ''
      ? [
          warning(
            `${host} has agent-chat ${visibleLine(seen.version)}, and this machine ${version}`,
            'install the same version on both machines',
          ),
        ]
      : []),
  ]
}

function checkKept({ home }: Bus, host: string): Check[] {
  const refused = namesIn(`${home.peer(host)}/refused`).length
  const bad = namesIn(home.peerBad(host)).length
  return [
    ...(refused > 0
      ? [
          warning(
            `${host} refused ${plural(refused, 'message')}`,
            `read why with: agent-chat show <id>; when done: rm ${home.peer(host)}/refused/*`,
          ),
        ]
      : []),
    ...(bad > 0
      ? [
          warning(
            `${host} sent ${bad} that are no messages of its own`,
            `look at them: head ${home.peerBad(host)}/*; a machine that does so may be hostile: agent-chat unlink ${host}`,
          ),
        ]
      : []),
  ]
}

/** Programs that copy folders between machines move, rename and merge: no home survives that. */
const SYNCED =
  /\/(Dropbox|OneDrive|Google ?Drive|iCloud ?Drive|Nextcloud|Mobile Documents|Sync)(\/|$)/i

function checkFolder(root: string): Check[] {
  const marks = ['.stfolder', '.dropbox', '.sync']
  let synced = SYNCED.test(root)
  for (let path = root; !synced && path !== dirname(path); path = dirname(path))
    synced = marks.some((mark) => existsSync(join(path, mark)))
  if (!synced) return []
  return [
    failed(
      `the home ${root} is in a folder that is copied between machines`,
      'move it out, set AGENT_CHAT_HOME to the new place, and link the machines instead',
    ),
  ]
}

/** A key for links that may do more, and a file of keys that others may write. */
function checkKeys(directory: string): Check[] {
  const path = join(directory, 'authorized_keys')
  const text = unless(['ENOENT', 'EACCES', 'ENOTDIR'], () => readFileSync(path, 'utf8')) ?? ''
  const lines = text.split('\n').filter((line) => /^[^#]*link --stdio/.test(line))
  if (lines.length === 0) return []
  const loose = lines.filter((line) => !/^(\S*,)?restrict[, ]/.test(line)).length
  const mode = statSync(path).mode & 0o022
  return [
    ...(loose > 0
      ? [
          warning(
            `${plural(loose, 'key')} for links in ${path} may do more than link`,
            'begin those lines with: restrict,command="agent-chat link --stdio --peer <host>"',
          ),
        ]
      : []),
    ...(mode === 0 ? [] : [failed(`others may write ${path}`, `chmod 600 ${path}`)]),
  ]
}

function warning(detail: string, hint: string): Check {
  return { name: 'link', status: 'warning', detail, hint }
}

function failed(detail: string, hint: string): Check {
  return { name: 'link', status: 'failed', detail, hint }
}
