import { growthOfArchive } from './growthArchive.mjs'
import { growthOfSessions } from './growthSessions.mjs'
import { growthOfUnread } from './growthUnread.mjs'

/**
 * What a command costs where there is more of something: of old messages, of unread ones, of sessions.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function growthGroup(plan) {
  const parts = [
    await growthOfArchive(plan),
    await growthOfUnread(plan),
    await growthOfSessions(plan),
  ]
  return {
    lines: parts.flatMap(({ lines }, index) => (index === 0 ? lines : ['', ...lines])),
    checks: parts.flatMap(({ checks }) => checks),
  }
}
