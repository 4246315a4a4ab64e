import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CodedError } from '../errors.ts'
import { namesIn, readPlainFile } from '../system/files.ts'
import { hashFile } from '../system/hash.ts'
import { isNative, runtimeName } from '../system/machine.ts'
import { runQuietly } from '../system/run.ts'
import { ownPid, userHome } from '../system/user.ts'
import type { Check } from './check.ts'
import { directory } from './completion.ts'

export type NativePorts = {
  env: NodeJS.ProcessEnv
  self: { node: string; root: string }
  version: string
  cwd: string
}

/** How long the program may take to say its version, from a disk that is slow. In milliseconds. */
const VERSION_MS = 30_000

/**
 * Where `bin/agent-chat` looks for the native program, one of each version: versions that differ
 * never meet.
 */
export function nativePath({ env, version }: Pick<NativePorts, 'env' | 'version'>): string {
  return join(nativeDirectory(env), version, 'agent-chat')
}

/**
 * Copies the native program to where `bin/agent-chat` looks: `from`, which must have its checksum
 * beside it, or the one that is here. Nothing is replaced by a program that does not run, or is
 * another version. Throws `PROGRAM_MISSING` where there is none, `FILE_UNREADABLE` for a wrong one.
 */
export async function installNative(from: string | undefined, ports: NativePorts): Promise<Check> {
  const source = from === undefined ? nativeHere(ports) : resolve(ports.cwd, from)
  const path = nativePath(ports)
  const detail = `${path} is ${ports.version}`
  if (source === path) return { name: 'native', status: 'ok', detail }
  if (!existsSync(source))
    throw refusal(`there is no ${source}`, 'build it there with: npm run build:native')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${ownPid()}.new`
  try {
    copyFileSync(source, fresh)
    await proveSum(source, fresh, from !== undefined)
    chmodSync(fresh, 0o755)
    await proveVersion(source, fresh, ports)
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
  return { name: 'native', status: 'ok', detail: `made ${detail}` }
}

/** Removes the native programs of every version. Sessions go on with Node, where there is one. */
export function removeNative({ env }: Pick<NativePorts, 'env'>): Check {
  const place = nativeDirectory(env)
  const there = existsSync(place)
  rmSync(place, { recursive: true, force: true })
  return { name: 'native', status: 'ok', detail: there ? `removed ${place}` : 'nothing to remove' }
}

/** Which program this is, and why not the other one. */
export function checkRuntime(ports: NativePorts): Check {
  const { env, self } = ports
  const path = nativePath(ports)
  const told = (why: string): Check => ({
    name: 'runtime',
    status: 'ok',
    detail: `${runtimeName()}: ${why}`,
  })
  if (isNative()) return told(self.node)
  if (env.AGENT_CHAT_RUNTIME === 'node') return told('AGENT_CHAT_RUNTIME is node')
  if (existsSync(path)) return told(`started by hand, since ${path} is there`)
  return told('all works with it; the native program starts faster: agent-chat setup --native')
}

function nativeDirectory(env: NodeJS.ProcessEnv): string {
  return join(
    directory(env.XDG_DATA_HOME, join(userHome(), '.local', 'share')),
    'agent-chat',
    'native',
  )
}

/** The program of a local build, of the package of this platform, or this one itself. */
function nativeHere({ self: { node, root }, version }: NativePorts): string {
  const packages = [join(root, 'node_modules'), dirname(root)].flatMap((place) =>
    namesIn(place).map((name) => join(place, name, 'bin', `agent-chat-${version}`)),
  )
  const places = [
    join(root, 'native', 'agent-chat'),
    ...packages.filter((path) => /\/agent-chat-[^/]+\/bin\//.test(path)),
    ...(isNative() ? [node] : []),
  ]
  const found = places.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new CodedError('PROGRAM_MISSING', `no native program ${version} is here to install`, {
    hint: 'build it in the clone: npm install && npm run build:native; or name one: agent-chat setup --native <path>',
  })
}

/** `<source>.sha256` is as `sha256sum` prints it. Only a file that somebody named has to have one. */
async function proveSum(source: string, copy: string, needed: boolean): Promise<void> {
  const expected = readPlainFile(`${source}.sha256`, 1000)?.toString().split(/\s/)[0]
  if (expected === undefined && !needed) return
  const found = await hashFile(copy)
  if (found && 'sha256' in found && found.sha256 === expected) return
  throw expected === undefined
    ? refusal(
        `${source} has no checksum beside it`,
        `where you built it yourself: sha256sum ${source} > ${source}.sha256`,
      )
    : refusal(`${source} is not the file of ${source}.sha256`, 'download both again')
}

async function proveVersion(source: string, copy: string, { version }: NativePorts): Promise<void> {
  const { code, stdout } = await runQuietly([copy, '--version'], undefined, VERSION_MS)
  const own = stdout.trim()
  if (code === 0 && own === version) return
  const what = code === 0 ? `is agent-chat ${own}, and this is ${version}` : 'does not run here'
  throw refusal(`${source} ${what}`, 'build it in the clone: npm install && npm run build:native')
}

function refusal(what: string, hint: string): CodedError {
  return new CodedError('FILE_UNREADABLE', what, { hint })
}
