import { chmodSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CodedError } from '../errors.ts'
import { unless } from '../system/errno.ts'
import { makeDirectory, readPlainFile, removeFile } from '../system/files.ts'
import { beginFile } from '../system/newFile.ts'
import { userHome } from '../system/user.ts'
import type { Check } from './check.ts'
import { hostConfig, type McpHost, type Server } from './mcpHosts.ts'

/** Far more than a configuration holds. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Writes our server into a host's own configuration, or takes it out again: then the file is, byte
 * for byte, as it was. Throws `FILE_UNREADABLE` for one that cannot be read, and changes nothing.
 */
export function setUpMcp(
  host: McpHost,
  remove: boolean,
  server: Server,
  env: NodeJS.ProcessEnv,
  home = userHome(),
): Check {
  const config = hostConfig(host, server, env, home)
  const path = unless(['ENOENT'], () => realpathSync(config.path)) ?? config.path
  const before = read(path)
  const added = remove ? config.remove(before ?? '') : config.add(before)
  const isThere = !remove && added === before && before !== undefined
  const after = isThere ? repointed(before, server.script) : added
  const ok = (detail: string): Check => ({ name: 'mcp', status: 'ok', detail })
  if (remove && after === undefined) return ok(`${path} has no server agent-chat`)
  if (after === undefined) throw unreadable(path, 'it is not the JSON that it should be')
  if (after === before) return ok(`${path} has a server agent-chat already; it stays as it is`)
  if (read(path) !== before) throw unreadable(path, 'another program is writing it')
  if (remove && before === config.add(undefined)) removeFile(path)
  else write(path, after)
  return ok(
    remove
      ? `took agent-chat out of ${path}`
      : `${path} starts agent-chat mcp from the next session of ${host} on`,
  )
}

/** The server of ours that the text starts from another place: of a version before, or a clone. */
const ELSEWHERE =
  /(agent-chat["\]]\s*[:\n][^}]{0,600}?)"(?:[^"\\]|\\.)*\/dist\/main\.js"(?=\s*,\s*"mcp")/

function repointed(text: string, script: string): string {
  return text.replace(ELSEWHERE, (_, before: string) => before + JSON.stringify(script))
}

function read(path: string): string | undefined {
  const bytes = readPlainFile(path, MOST_BYTES)
  if (typeof bytes === 'string') throw unreadable(path, bytes)
  const text = bytes?.toString()
  if (text !== undefined && !Buffer.from(text).equals(bytes ?? Buffer.alloc(0)))
    throw unreadable(path, 'it is not UTF-8')
  return text
}

/** With the mode that it had. */
function write(path: string, text: string): void {
  makeDirectory(dirname(path))
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  const file = beginFile(path)
  file.write(text)
  file.finish()
  if (mode !== undefined) chmodSync(path, mode & 0o7777)
}

function unreadable(path: string, why: string): CodedError {
  return new CodedError('FILE_UNREADABLE', `${path} was left unchanged: ${why}`, {
    hint: `look at it with: cat ${path}; then try again, or add the server by hand: docs/mcp.md`,
  })
}
