/**
 * A list in groups, by what `keyOf` gives for each.
 * @template T
 * @param {T[]} list @param {(one: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
export function groupsOf(list, keyOf) {
  const groups = new Map()
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}
