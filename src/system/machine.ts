import { hostname, release } from 'node:os'

/** The version of Node that runs this, as `20.19.0`; undefined in the native program. */
export function nodeVersion(): string | undefined {
  return isNative() ? undefined : process.versions.node
}

/** Whether this is the native program, which Bun has compiled. */
export function isNative(): boolean {
  return process.versions.bun !== undefined
}

/** What runs this, with its version. */
export function runtimeName(): string {
  const { bun, node } = process.versions
  return bun === undefined ? `Node ${node}` : `native program (Bun ${bun})`
}

/** The system and its version, and the processor: `linux 6.8.0 x64`. */
export function machineName(): string {
  return `${process.platform} ${release()} ${process.arch}`
}

/** The name of this machine, without its domain. */
export function hostName(): string {
  return hostname().split('.', 1)[0] ?? ''
}

export function isMac(): boolean {
  return process.platform === 'darwin'
}

/** A temporary directory whose path has room for a socket's: 104 bytes on a Mac, 108 on Linux. */
export function temporaryDirectory(): string {
  const own = process.getBuiltinModule('node:os').tmpdir()
  return own.length <= 60 ? own : '/tmp'
}
