import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Home } from '../../bus/home.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import type { Ports } from '../../chat/ports.ts'
import { CodedError } from '../../errors.ts'
import { nearest } from '../../message/nearest.ts'
import { isErrno } from '../../system/errno.ts'
import { namesIn, readPlainFile } from '../../system/files.ts'
import { nearestWith } from '../../system/nearest.ts'
import { userHome } from '../../system/user.ts'
import { readTrusted, type Trusted } from '../../trust/allow/trusted.ts'
import type { Definition, Finding, Listed, Place } from './definition.ts'
import { parseDefinition } from './parse.ts'

/** No definition is longer. In bytes. */
const MAX_BYTES = 256 * 1024

/** Where a repository keeps its definitions. */
const IN_REPOSITORY = '.agent-chat/agents'

type Found = Omit<Place, 'userHome'>

/**
 * Every definition: the home's, those of the repository around `cwd`, and those of other
 * repositories that the human has allowed. Of two with one name, the first of these is used.
 */
export function listDefinitions({ bus }: Pick<Ports, 'bus'>, cwd: string): Listed[] {
  const { home } = bus()
  const trusted = readTrusted(home)
  const names = new Set<string>()
  return placesOf(home, cwd, trusted).map((place) => {
    const listed = readListed(place, trusted[place.path])
    if (names.has(listed.name)) return { ...listed, status: 'hidden' }
    names.add(listed.name)
    return listed
  })
}

/** What a file says, and whether it may be used; `yes`: what its human said yes to. */
export function readListed(place: Found, yes?: Trusted): Listed {
  const { path, source } = place
  const name = basename(path, '.md')
  const text = textOf(path)
  const { definition, findings } =
    typeof text === 'string'
      ? parseDefinition(text, { ...place, userHome: userHome() })
      : { findings: [text], definition: undefined }
  if (definition === undefined) return { name, path, source, status: 'invalid', findings }
  const valid = findings.length > 0 ? 'warnings' : 'valid'
  const refused =
    yes === undefined ? 'not allowed' : yes.hash === definition.hash ? undefined : 'changed'
  const status = source === 'home' ? valid : (refused ?? valid)
  return { name, path, source, status, findings, definition }
}

/**
 * The definition of this name, where it may be used. Throws `AGENT_UNKNOWN`, `DEFINITION_INVALID`
 * with what is wrong with it, and `GATE_REFUSED` for a repository's that its human has not allowed
 * as it is.
 */
export function requireDefinition(name: string, ports: Pick<Ports, 'bus' | 'cwd'>): Definition {
  const { definition, status, path, findings } = requireListed(name, ports)
  if (definition === undefined) throw invalid(name, path, findings)
  if (status !== 'not allowed' && status !== 'changed') return definition
  const why =
    status === 'changed'
      ? 'has changed since you allowed it'
      : 'comes from a repository, and you have not allowed it'
  throw new CodedError('GATE_REFUSED', `the definition of @${name} ${why}: ${path}`, {
    hint: `read it with: agent-chat agents show ${name}; then: agent-chat agents allow ${name}`,
  })
}

/** The definition of this name, whatever its status. Throws `AGENT_UNKNOWN`. */
export function requireListed(name: string, ports: Pick<Ports, 'bus' | 'cwd'>): Listed {
  const all = listDefinitions(ports, ports.cwd)
  const listed = all.find((one) => one.name === name && one.status !== 'hidden')
  if (listed) return listed
  throw new CodedError('AGENT_UNKNOWN', `no agent named @${name} is defined`, {
    hint: unlistedHint(name, all, ports),
  })
}

function unlistedHint(name: string, all: Listed[], { bus }: Pick<Ports, 'bus'>): string {
  if (findSession(readSessions(bus().home), name))
    return `@${name} is a session, not an agent: agent-chat status ${name}`
  if (all.length === 0) return 'make some with: agent-chat agents init'
  const near = nearest(
    name,
    all.map((one) => one.name),
  )
  return `${near === undefined ? '' : `did you mean @${near}? `}see them with: agent-chat agents`
}

function invalid(name: string, path: string, findings: Finding[]): CodedError {
  const errors = findings.filter(({ level }) => level === 'error')
  const [first] = errors
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return new CodedError(
    'DEFINITION_INVALID',
    `the definition of @${name} cannot be used: ${first?.text}${more} (${path})`,
    { hint: `see all that is wrong with it: agent-chat agents check ${name}` },
  )
}

function placesOf(home: Home, cwd: string, trusted: Record<string, Trusted>): Found[] {
  const own = filesIn(home.agents).map((path) => ({ path, source: 'home' as const }))
  const base = nearestWith(IN_REPOSITORY, cwd)
  const folder = base === undefined ? home.agents : join(base, IN_REPOSITORY)
  const here = folder === home.agents ? [] : filesIn(folder)
  const elsewhere = Object.keys(trusted).filter(
    (path) =>
      dirname(path).endsWith(`/${IN_REPOSITORY}`) && !here.includes(path) && existsSync(path),
  )
  const shared = [...here, ...elsewhere].map((path) => placeOf(path, home))
  return [...own, ...shared]
}

/** The place of a file by itself: in the home, or in whatever repository it is in. */
export function placeOf(path: string, { agents }: Pick<Home, 'agents'>): Found {
  if (dirname(path) === agents) return { path, source: 'home' }
  return { path, source: 'repository', base: dirname(dirname(dirname(path))) }
}

function filesIn(directory: string): string[] {
  const names = namesIn(directory).filter((name) => /^[^.].*\.md$/.test(name))
  const files = names.filter((name) => !/^readme\.md$/i.test(name)).sort()
  return files.map((name) => join(directory, name))
}

/** A link is followed; a pipe or a device is not waited for. */
function textOf(path: string): string | Finding {
  try {
    const bytes = readPlainFile(realpathSync(path), MAX_BYTES)
    if (Buffer.isBuffer(bytes)) return bytes.toString('utf8')
    const why = bytes === 'too long' ? `is longer than ${MAX_BYTES} bytes` : 'is not a plain file'
    return { level: 'error', text: `the file ${why}` }
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENOTDIR', 'EISDIR', 'EIO'))
      throw error
    return { level: 'error', text: `the file cannot be read (${error.code})` }
  }
}
