import type { Home } from '../../bus/home.ts'
import { unless } from '../../system/errno.ts'
import { appendLine, readPlainFile } from '../../system/files.ts'
import { isListed } from './table.ts'

/** So much is kept of such names. In bytes. */
const MAX_BYTES = 4096

/** Codes of a disk that takes nothing: then nobody is told of a tool. */
const NO_PLACE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EISDIR']

/** Notes a tool that no table has, once: `doctor` names it. */
export function noteUnlisted(home: Home, agent: string, tool: string): void {
  const line = `${agent} ${tool}`
  if (!/^[\w.:-]{1,100}$/.test(tool)) return
  unless(NO_PLACE, () => {
    const lines = linesOf(home)
    if (lines === undefined || lines.includes(line)) return
    appendLine(home.unlistedTools, line)
  })
}

/** The tools that were seen, and that no table has yet: `claude Frobnicate`. */
export function unlistedTools(home: Home): string[] {
  return (linesOf(home) ?? []).filter(
    (line) => /^[\w-]+ [\w.:-]+$/.test(line) && !isListed(line.replace(/^claude /, '')),
  )
}

/** Undefined where the file is full, or none. */
function linesOf(home: Home): string[] | undefined {
  const bytes = readPlainFile(home.unlistedTools, MAX_BYTES)
  if (bytes === undefined) return []
  return Buffer.isBuffer(bytes) ? bytes.toString().split('\n') : undefined
}
