import { groupsOf } from './groups.mjs'

/**
 * A read that was killed and gave no answer: whose inbox it read, and from when to when, in milliseconds since 1970.
 * @typedef {{ name: string, from: number, to: number }} KilledRead
 *
 * A message that the history says was read.
 * @typedef {{ id: string, by: string, at: string, mended?: boolean }} ReadEvent
 */

/**
 * The messages that were read and that no read has shown to its end, and those among them that no killed read explains. A read that was killed takes along
 * what it had moved until then, and says so in the history while it runs; the one message that it had moved and not yet told of is what `doctor` adds.
 * @param {ReadEvent[]} reads @param {Map<string, number>} shown @param {KilledRead[]} killed
 */
export function judgeUnshown(reads, shown, killed) {
  const unshown = reads.filter(({ id }) => !shown.has(id))
  const killedOf = groupsOf(killed, ({ name }) => name)
  const within = (/** @type {ReadEvent} */ { by, at }) =>
    (killedOf.get(by) ?? []).some(({ from, to }) => Date.parse(at) >= from && Date.parse(at) <= to)
  const mendedOf = groupsOf(
    unshown.filter(({ mended }) => mended),
    ({ by }) => by,
  )
  const tooMany = [...mendedOf].flatMap(([by, mended]) =>
    mended.slice(killedOf.get(by)?.length ?? 0),
  )
  const unexplained = [...unshown.filter((event) => !event.mended && !within(event)), ...tooMany]
  return {
    unshown: unshown.length,
    wrong: unexplained.map(
      ({ id, by }) =>
        `lost: ${id} was read by @${by}, was never shown, and no read was killed there`,
    ),
  }
}
