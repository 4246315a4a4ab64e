import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CodedError } from '../errors.ts'
import { readPlainFile, writeNewFile } from '../system/files.ts'
import { ownPid } from '../system/user.ts'

/** A file of an agent's as it was, null for none, and as setup has left it. */
export type Edited = { path: string; before: string | null; after: string }

/** More than any file of settings holds. In bytes. */
const MAX_BYTES = 16 * 1024 * 1024

/** The text of a file, null where there is none. Throws for what is no text file. */
export function textAt(path: string): string | null {
  const bytes = readPlainFile(realOf(path), MAX_BYTES)
  if (bytes === undefined) return null
  const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined
  if (text !== undefined && Buffer.from(text).equals(bytes as Buffer)) return text
  throw new CodedError('FAULT', `${path} is not a text file`, {
    hint: 'move it away, and run this again',
  })
}

/** Replaces a file as a whole, where its owner keeps it, with the mode that it has. Null: removes it. */
export function putText(path: string, text: string | null): void {
  const real = realOf(path)
  if (text === null) {
    rmSync(real, { force: true })
    return
  }
  mkdirSync(dirname(real), { recursive: true })
  const mode = statSync(real, { throwIfNoEntry: false })?.mode
  const fresh = `${real}.${ownPid()}.agent-chat`
  rmSync(fresh, { force: true })
  writeNewFile(fresh, text)
  if (mode !== undefined) chmodSync(fresh, mode & 0o777)
  renameSync(fresh, real)
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

type Hook = { command?: unknown }
type Group = { hooks?: Hook[] }
type HookFile = { hooks?: Record<string, Group[]> }

/** The text of a file of hooks with these added, by event. Throws for what is no JSON. */
export function withHooks(
  path: string,
  text: string | null,
  added: { event: string; entry: object }[],
): string {
  const file = parseHooks(path, text)
  const hooks = { ...file.hooks }
  for (const { event, entry } of added) hooks[event] = [...(hooks[event] ?? []), entry]
  return `${JSON.stringify({ ...file, hooks }, null, 2)}\n`
}

/** The text without the commands that are ours; null where nothing is left. */
export function withoutHooks(
  path: string,
  text: string | null,
  isOurs: (command: string) => boolean,
): string | null {
  if (text === null) return null
  const file = parseHooks(path, text)
  const isOther = ({ command }: Hook) => !(typeof command === 'string' && isOurs(command))
  const all = Object.values(file.hooks ?? {}).flat()
  if (all.flatMap((group) => group.hooks ?? []).every(isOther)) return text
  const hooks = Object.entries(file.hooks ?? {}).flatMap(([event, groups]) => {
    const kept = groups.flatMap((group) => {
      const others = (group.hooks ?? []).filter(isOther)
      return others.length > 0 || !group.hooks?.length ? [{ ...group, hooks: others }] : []
    })
    return kept.length === 0 ? [] : [[event, kept]]
  })
  const { hooks: _, ...rest } = file
  if (hooks.length === 0)
    return Object.keys(rest).length === 0 ? null : `${JSON.stringify(rest, null, 2)}\n`
  return `${JSON.stringify({ ...rest, hooks: Object.fromEntries(hooks) }, null, 2)}\n`
}

function parseHooks(path: string, text: string | null): HookFile {
  try {
    const value: unknown = text === null || text.trim() === '' ? {} : JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Said below.
  }
  throw new CodedError('FAULT', `${path} is not JSON that agent-chat can add hooks to`, {
    hint: 'repair it or move it away, and run this again',
  })
}

const BEGIN = '<!-- agent-chat: begin -->'
const END = '<!-- agent-chat: end -->'

/** The text with a block of ours at its end. */
export function withBlock(text: string | null, block: string): string {
  const gap = text === null || text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text ?? ''}${gap}${BEGIN}\n${block.trim()}\n${END}\n`
}

/** The text without that block; null where there was nothing else. */
export function withoutBlock(text: string | null): string | null {
  const at = text?.indexOf(BEGIN) ?? -1
  const end = text?.indexOf(END) ?? -1
  if (text === null || at < 0 || end < at) return text
  const rest = text.slice(0, at).replace(/\n\n$/, '\n') + text.slice(end + END.length + 1)
  return rest === '' ? null : rest
}
