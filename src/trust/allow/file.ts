import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { changeFile } from '../../system/changeFile.ts'
import { readPlainFile } from '../../system/files.ts'
import { jsonOf } from '../../system/json.ts'

/**
 * A command, or a tool of an MCP server, that the human allows in every turn. `words`: what a shell
 * makes of the command; one word for a tool. `project`: the one directory in which it holds;
 * `script`: the digest of what the command stands for.
 */
export type Allow = {
  text: string
  words: string[]
  project: string | null
  script: string | null
  at: string
}

/**
 * What a command stands for. `text`: the line of a package.json, or the path of the file; empty
 * where there is no such line. `around`: the lines that run before and after that one.
 */
export type Script = { text: string; around: string[]; digest: string }

/** More than a person allows, in bytes. */
const LONGEST = 1024 * 1024

/** What is allowed; undefined where the file says something else, so that nothing is. */
export function readAllows({ allowed }: Pick<Home, 'allowed'>): Allow[] | undefined {
  const bytes = readPlainFile(allowed, LONGEST)
  if (bytes === undefined) return []
  const value = Buffer.isBuffer(bytes) ? jsonOf(bytes.toString('utf8')) : undefined
  return Array.isArray(value) && value.every(isAllow) ? value : undefined
}

/** Changes what is allowed, one process at a time. `change` is given nothing where the file is bad. */
export function changeAllows(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  change: (before: Allow[] | undefined) => Allow[],
): void {
  changeFile({ path: home.allowed, lock: home.allowedLock, processes }, (replace) =>
    replace(`${JSON.stringify(change(readAllows(home)), null, 2)}\n`),
  )
}

function isAllow(value: unknown): value is Allow {
  if (typeof value !== 'object' || value === null) return false
  const { text, words, project, script, at } = value as Record<string, unknown>
  const isText = (one: unknown) => typeof one === 'string' && one !== ''
  return (
    Array.isArray(words) &&
    words.length > 0 &&
    [...words, text, at].every(isText) &&
    [project, script].every((one) => one === null || isText(one))
  )
}
