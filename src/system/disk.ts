import { linkSync, rmSync, statfsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { hasNoLinks, writeNewFile } from './files.ts'

/** The bytes that a user may still write on the disk of `path`. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Writes, syncs and links a small file, and removes it; throws what the system says. */
export function tryDisk(directory: string, pid: number): { links: boolean } {
  const file = join(directory, `.doctor.${pid}.tmp`)
  const second = join(directory, `.doctor-link.${pid}.tmp`)
  try {
    writeNewFile(file, 'agent-chat doctor\n')
    return { links: canLink(file, second) }
  } finally {
    rmSync(file, { force: true })
    rmSync(second, { force: true })
  }
}

/** Why a directory gives no file events (`ENOSPC`: no watches left, `EMFILE`: no instances). */
export async function watchTrouble(directory: string): Promise<string | undefined> {
  try {
    const watcher = watch(directory)
    return await new Promise((resolve) => {
      watcher.once('error', (error) => resolve(codeOf(error)))
      setImmediate(() => {
        watcher.close()
        resolve(undefined)
      })
    })
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function canLink(file: string, second: string): boolean {
  try {
    linkSync(file, second)
    return true
  } catch (error) {
    if (hasNoLinks(error)) return false
    throw error
  }
}
