import { fieldOf } from '../system/json.ts'

/**
 * Puts one member into an object of a JSON text, and takes it out again. Only characters are added
 * and removed: comments, order and spaces of the rest stay as they are.
 */

/** The characters between the braces of an object, and its members' keys with where each begins. */
type Shape = { from: number; to: number; members: Member[] }
type Member = { key: string; at: number; value: number; end: number }

/** `path` is the names of the objects, then that of the entry. */
export type Entry = { path: readonly [string, string]; value: unknown }

/** What a file that is not there, or has nothing in it, becomes. */
export function wholeText({ path: [outer, name], value }: Entry): string {
  return `${JSON.stringify({ [outer]: { [name]: value } }, null, 2)}\n`
}

/** The text with the entry in it; undefined where it cannot be read, and `text` where it is there. */
export function withEntry(text: string, entry: Entry): string | undefined {
  if (text.trim() === '') return text + wholeText(entry).trimEnd()
  const { path, value } = entry
  const root = objectAt(text, skip(text, 0))
  if (root === undefined || skip(text, root.to + 1) < text.length) return undefined
  const outer = root.members.find(({ key }) => key === path[0])
  const inner = outer && objectAt(text, outer.value)
  if (outer && !inner) return undefined
  if (inner?.members.some(({ key }) => key === path[1])) return text
  const place = inner ?? root
  const added = inner ? { [path[1]]: value } : { [path[0]]: { [path[1]]: value } }
  return text.slice(0, place.from) + snippet(added, place, inner ? 4 : 2) + text.slice(place.from)
}

/**
 * The text with this value first in the list at the end of a path, whose objects are made where they
 * are missing; undefined where it is no JSON, or has something else there.
 */
export function withItem(text: string, path: readonly string[], value: string): string | undefined {
  const after = text.trim() === '' ? `${nestedText(path, value)}\n` : itemAdded(text, path, value)
  try {
    const list = path.reduce<unknown>((at, name) => fieldOf(at, name), JSON.parse(after ?? ''))
    return Array.isArray(list) && list.includes(value) ? after : undefined
  } catch {
    return undefined
  }
}

function itemAdded(text: string, path: readonly string[], value: string): string | undefined {
  let place = objectAt(text, skip(text, 0))
  for (const [depth, name] of path.entries()) {
    const found = place?.members.find(({ key }) => key === name)
    if (!place || (found && depth === path.length - 1 && text[found.value] !== '['))
      return undefined
    if (!found) {
      const added = snippet(JSON.parse(nestedText(path.slice(depth), value)), place, 2 * depth + 2)
      return text.slice(0, place.from) + added + text.slice(place.from)
    }
    if (depth === path.length - 1) {
      const at = found.value + 1
      const next = text[skip(text, at)] === ']' ? '' : text[at] === '\n' ? ',' : ', '
      return `${text.slice(0, at)}${JSON.stringify(value)}${next}${text.slice(at)}`
    }
    place = objectAt(text, found.value)
  }
  return undefined
}

function nestedText(path: readonly string[], value: string): string {
  const whole = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [value])
  return JSON.stringify(whole, null, 2)
}

/** The text without the entry; undefined where it has none, or another one. */
export function withoutEntry(text: string, entry: Entry): string | undefined {
  const { path, value } = entry
  const whole = wholeText(entry)
  const put = text.endsWith('\n') ? whole : whole.trimEnd()
  if (text.endsWith(put) && text.slice(0, -put.length).trim() === '')
    return text.slice(0, -put.length)
  const root = objectAt(text, skip(text, 0))
  const outer = root?.members.find(({ key }) => key === path[0])
  const inner = outer && objectAt(text, outer.value)
  const own = inner?.members.find(({ key }) => key === path[1])
  if (!root || !inner || !own) return undefined
  for (const [place, added, depth] of [
    [root, { [path[0]]: { [path[1]]: value } }, 2],
    [inner, { [path[1]]: value }, 4],
  ] as const) {
    for (const members of [1, 0]) {
      const put = snippet(added, { members: { length: members } }, depth)
      if (text.startsWith(put, place.from))
        return text.slice(0, place.from) + text.slice(place.from + put.length)
    }
  }
  return cut(text, inner, own)
}

/** Written so that it can be taken out as it was put in: right behind the brace. */
function snippet(
  added: object,
  { members }: { members: { length: number } },
  indent: number,
): string {
  const lines = JSON.stringify(added, null, 2).split('\n').slice(1, -1)
  const spaces = ' '.repeat(indent - 2)
  const text = lines.map((line) => `\n${spaces}${line}`).join('')
  return members.length > 0 ? `${text},` : text
}

/** The host has written its file anew: the member goes, with one comma and the space before it. */
function cut(text: string, { members, from }: Shape, own: Member): string {
  const at = members.indexOf(own)
  const before = members[at - 1]
  const next = members[at + 1]
  if (before) return text.slice(0, before.end) + text.slice(own.end)
  return next
    ? text.slice(0, own.at) + text.slice(next.at)
    : text.slice(0, from) + text.slice(skip(text, own.end))
}

/** The object whose brace is at `at`. */
function objectAt(text: string, at: number): Shape | undefined {
  if (text[at] !== '{') return undefined
  const members: Member[] = []
  let now = skip(text, at + 1)
  while (text[now] === '"') {
    const keyEnd = valueEnd(text, now)
    const colon = skip(text, keyEnd)
    const value = skip(text, colon + 1)
    const end = valueEnd(text, value)
    if (text[colon] !== ':' || end <= value) return undefined
    members.push({ key: nameIn(text.slice(now, keyEnd)), at: now, value, end })
    now = skip(text, end)
    if (text[now] === ',') now = skip(text, now + 1)
  }
  return text[now] === '}' ? { from: at + 1, to: now, members } : undefined
}

function nameIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

/** Where a value ends; where there is none, where it would begin. */
function valueEnd(text: string, at: number): number {
  if (text[at] === '"') {
    for (let now = at + 1; now < text.length; now += 1) {
      if (text[now] === '\\') now += 1
      else if (text[now] === '"') return now + 1
    }
    return at
  }
  if (text[at] !== '{' && text[at] !== '[')
    return at + (/^[-+.\w]+/.exec(text.slice(at))?.[0].length ?? 0)
  let depth = 0
  for (let now = at; now < text.length; now = Math.max(now + 1, skip(text, now))) {
    if (text[now] === '"') now = valueEnd(text, now) - 1
    else if ('{['.includes(text[now] ?? ' ')) depth += 1
    else if ('}]'.includes(text[now] ?? ' ')) depth -= 1
    if (depth === 0) return now + 1
  }
  return at
}

/** Past spaces and comments: `settings.json` of some hosts has these. */
function skip(text: string, at: number): number {
  const space = /(?:[\s\ufeff]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
  space.lastIndex = at
  return at + (space.exec(text)?.[0].length ?? 0)
}
