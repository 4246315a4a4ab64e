import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../../bus/home.ts'
import { CodedError } from '../../errors.ts'
import { NAME_PATTERN, quote } from '../../message/name.ts'
import { isErrno } from '../../system/errno.ts'
import { makeDirectory, replaceFile } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import { usersConf } from './names.ts'

/** What a machine needs to reach its team's server as itself. Whoever has it is that machine. */
export type Ticket = { team: string; server: string; host: string; seed: string; ca: string }

/** What the admin of a team keeps: `hosts` has the public key of each machine. */
export type Team = {
  team: string
  server: string
  seed: string
  key: string
  hosts: Record<string, string>
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The team that this home has joined. Throws `USAGE` where it has joined none. */
export function readTicket(home: Home): Ticket {
  const ticket = ticketIn(home.bridgeTicket)
  if (ticket) return ticket
  throw new CodedError('USAGE', 'this machine has joined no team', {
    hint: 'ask the admin for an invitation (agent-chat bridge invite <host>), then: agent-chat bridge join <file>',
  })
}

/** The invitation in a file; undefined where there is no file. Throws `USAGE` for another file. */
export function ticketIn(path: string): Ticket | undefined {
  const value = jsonAt(path)
  if (value === undefined) return undefined
  const { team, server, host, seed, ca } = { ...(value as Partial<Record<keyof Ticket, unknown>>) }
  const named = [team, host].every((name) => isText(name) && NAME_PATTERN.test(name))
  if (named && [server, seed, ca].every(isText) && String(seed).startsWith('SU'))
    return { team, server, host, seed, ca } as Ticket
  throw new CodedError('USAGE', `${quote(path)} is no invitation`, {
    hint: 'ask the admin for a new one: agent-chat bridge invite <host>',
  })
}

function jsonAt(path: string): unknown {
  try {
    return readJson(path)
  } catch (error) {
    if (!isErrno(error, 'EISDIR', 'EACCES', 'ENOTDIR')) throw error
    return null
  }
}

/** What has a key in it: for its owner alone. */
export function writeSecret(path: string, value: Ticket | Team): void {
  replaceFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** The team that is administered from this home. Throws `USAGE` where there is none. */
export function readTeam(home: Home): Team {
  const value = readJson(home.bridgeTeam)
  if (typeof value === 'object' && value !== null && 'hosts' in value) return value as Team
  throw new CodedError('USAGE', 'no team is administered from this home', {
    hint: 'run it where the team was made, or make one: agent-chat bridge init --server <name or address>',
  })
}

export function isAdmin({ bridgeTeam }: Pick<Home, 'bridgeTeam'>): boolean {
  return existsSync(bridgeTeam)
}

/** The team, and the users that the server is to know. */
export function writeTeam(home: Home, team: Team): void {
  makeDirectory(home.bridge)
  writeSecret(home.bridgeTeam, team)
  replaceFile(join(home.bridge, 'users.conf'), usersConf(team.team, team.key, team.hosts))
}

export function certificateOf(home: Home): string {
  return readFileSync(join(home.bridge, 'server.pem'), 'utf8')
}
