import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { ensureHome } from '../../bus/home.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { nearest } from '../../message/nearest.ts'
import { unless } from '../../system/errno.ts'
import { makeDirectory, replaceFile } from '../../system/files.ts'
import { runQuietly } from '../../system/run.ts'
import { close, type Login, open } from './client.ts'
import { certificateOf, isAdmin, readTeam, type Team, writeSecret, writeTeam } from './files.ts'
import { serverConf } from './names.ts'
import { forget, prepare, type StreamState, streamState } from './server.ts'

/** The files of a team, made once. `conf`: what nats-server is started with. */
export type Made = { team: string; conf: string; ready: boolean }

type AdminBus = Pick<Bus, 'home' | 'processes'>

const PORT = 4222

/**
 * Makes the files of a team's server in this home; where they are there, what the server lacks.
 * `server`: its name or address, with a port if it is not 4222. Throws `USAGE`, `PROGRAM_MISSING`.
 */
export async function init(
  { server, team = 'team' }: { server?: string | undefined; team?: string | undefined },
  bus: AdminBus,
): Promise<Made> {
  const { home } = bus
  const conf = join(home.bridge, 'nats-server.conf')
  if (isAdmin(home)) {
    const known = readTeam(home)
    // With what machines may do in this version.
    writeTeam(home, known)
    reload(bus)
    await asAdmin(home, known, (connection) =>
      prepare(connection, known.team, Object.keys(known.hosts)),
    )
    return { team: known.team, conf, ready: true }
  }
  const { host, port } = addressOf(server)
  ensureHome(home)
  makeDirectory(home.bridge)
  await makeCertificate(home, host)
  const [seed, key] = newKey()
  replaceFile(conf, serverConf(home.bridge, port))
  const shown = isIP(host) === 6 ? `[${host}]` : host
  writeTeam(home, { team, server: `tls://${shown}:${port}`, seed, key, hosts: {} })
  return { team, conf, ready: false }
}

function addressOf(server: string | undefined): { host: string; port: number } {
  const [, six, plain, port] =
    /^(?:tls:\/\/|nats:\/\/)?(?:\[([\da-fA-F:]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(server ?? '') ??
    []
  const host = six ?? plain
  if (host !== undefined && Number(port ?? PORT) < 65_536)
    return { host, port: Number(port ?? PORT) }
  throw new CodedError('USAGE', 'where will the server be?', {
    hint: 'agent-chat bridge init --server nats.example.com',
  })
}

function newKey(): [seed: string, key: string] {
  const pair = nkeys.createUser()
  return [new TextDecoder().decode(pair.getSeed()), pair.getPublicKey()]
}

/** A certificate that is its own authority: the invitation brings it to each machine. */
async function makeCertificate(home: Home, host: string): Promise<void> {
  const name = `${isIP(host) ? 'IP' : 'DNS'}:${host}`
  const names = host === 'localhost' ? `${name},IP:127.0.0.1` : `${name},DNS:localhost`
  const [key, pem] = [join(home.bridge, 'server.key'), join(home.bridge, 'server.pem')]
  if (existsSync(pem) && existsSync(key)) return
  const { code, stderr, error } = await runQuietly(
    [
      ...(['openssl', 'req', '-x509', '-newkey', 'ec', '-nodes', '-days', '825'] as const),
      ...['-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', '/CN=agent-chat'],
      ...['-addext', `subjectAltName=${names}`, '-keyout', key, '-out', pem],
    ],
    undefined,
    20_000,
  )
  if (code === 0) return
  throw new CodedError('PROGRAM_MISSING', 'openssl made no certificate', {
    hint: `install openssl, or put a certificate and its key there yourself: ${pem}, ${key}`,
    lines: error ? [] : stderr.trim().split('\n').slice(-3),
  })
}

/**
 * Lets a machine into the team: its key, its consumer, and the file that it joins with. A machine
 * that was invited before gets a new key. `reloaded`: the server knows it. Throws `USAGE`, and
 * `NOT_ARRIVED` without the server.
 */
export async function invite(
  host: string,
  bus: AdminBus,
): Promise<{ file: string; reloaded: boolean }> {
  const { home } = bus
  const before = readTeam(home)
  const [seed, key] = newKey()
  const team = { ...before, hosts: { ...before.hosts, [host]: key } }
  // The consumer first: a server that reads its users again takes nobody for a moment.
  await asAdmin(home, team, (connection) => prepare(connection, team.team, [host]))
  writeTeam(home, team)
  const reloaded = reload(bus)
  const file = join(home.bridge, `${host}.invitation`)
  const ca = certificateOf(home)
  writeSecret(file, { team: team.team, server: team.server, host, seed, ca })
  return { file, reloaded }
}

/** Shuts a machine out of the team. `reloaded`: the server has ended its connection. */
export async function revoke(host: string, bus: AdminBus): Promise<{ reloaded: boolean }> {
  const { home } = bus
  const before = readTeam(home)
  const { [host]: key, ...hosts } = before.hosts
  if (key === undefined) {
    const near = nearest(host, Object.keys(hosts))
    throw new CodedError('HOST_UNKNOWN', `no machine named ${host} was invited`, {
      hint: near
        ? `did you mean: agent-chat bridge revoke ${near}`
        : 'see the machines with: agent-chat bridge status',
    })
  }
  const team = { ...before, hosts }
  writeTeam(home, team)
  const reloaded = reload(bus)
  await asAdmin(home, team, (connection) => forget(connection, team.team, host))
  return { reloaded }
}

/** What the server holds for the team. */
export function stateOf(home: Home): Promise<StreamState> {
  const team = readTeam(home)
  return asAdmin(home, team, (connection) => streamState(connection, team.team))
}

/**
 * Tells the server on this machine to read its users again, as `nats-server --signal reload` does: that
 * program is in /usr/sbin, which is not on everybody's PATH.
 */
function reload({ home, processes }: AdminBus): boolean {
  const text = unless(['ENOENT'], () => readFileSync(join(home.bridge, 'nats-server.pid'), 'utf8'))
  const server = processes.find(Number(text ?? Number.NaN))
  return (server?.command.endsWith('nats-server') && processes.signal(server, 'SIGHUP')) ?? false
}

async function asAdmin<T>(
  home: Home,
  { server, seed }: Team,
  work: (connection: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const connection = await openSoon({ server, seed, ca: certificateOf(home) })
  try {
    return await work(connection)
  } finally {
    await close(connection)
  }
}

/** A server that is just reading its users again knows nobody for a moment. In milliseconds. */
const AGAIN_MS = 300
const TRIES = 3

async function openSoon(login: Login, tries = TRIES): ReturnType<typeof open> {
  try {
    return await open(login)
  } catch (error) {
    const passes = isCoded(error, 'PEER_REFUSES') || /timeout/.test(String(error))
    if (tries <= 1 || !passes) throw error
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    return openSoon(login, tries - 1)
  }
}
