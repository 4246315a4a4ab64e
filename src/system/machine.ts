import { release } from 'node:os'

/** The version of Node that runs this, as `20.19.0`. */
export function nodeVersion(): string {
  return process.versions.node
}

/** The system and its version, and the processor: `linux 6.8.0 x64`. */
export function machineName(): string {
  return `${process.platform} ${release()} ${process.arch}`
}

export function isMac(): boolean {
  return process.platform === 'darwin'
}

/** A temporary directory whose path has room for a socket's: 104 bytes on a Mac, 108 on Linux. */
export function temporaryDirectory(): string {
  const own = process.getBuiltinModule('node:os').tmpdir()
  return own.length <= 60 ? own : '/tmp'
}
