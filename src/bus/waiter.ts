import type { ProcessRef } from '../system/processes.ts'

/** Whether a value that was read from a file names a process. One that does not would be taken for whatever process has no start. */
export function isProcessRef(value: unknown): value is ProcessRef {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return false
  return typeof value.pid === 'number' && typeof value.started === 'string'
}
