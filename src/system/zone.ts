import { readlinkSync } from 'node:fs'
import { unless } from './errno.ts'

/**
 * Whether local time is UTC, as on most servers. Then nothing has to load the zones of the world,
 * which is a fifth of a native `history`. False where the machine does not say.
 */
export function isUtc(env: NodeJS.ProcessEnv = process.env, link = '/etc/localtime'): boolean {
  const zone = env.TZ ?? unless(['ENOENT', 'EINVAL', 'EACCES'], () => readlinkSync(link))
  return zone !== undefined && /(^|\/)UTC$/.test(zone)
}

/** `2026-11-21 03:39` in the user's own time zone. */
export function localTime(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const [year, month, day, hours, minutes] = isUtc()
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
    : [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()]
  return `${year}-${two(month + 1)}-${two(day)} ${two(hours)}:${two(minutes)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
