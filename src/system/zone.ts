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
