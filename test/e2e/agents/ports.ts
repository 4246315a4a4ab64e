import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'

/** TCP ports on which a process of this home listens. */
export async function listening(home: string): Promise<string[]> {
  expect(home).not.toBe('')
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `
    for p in /proc/[0-9]*; do
      tr '\\0' '\\n' < $p/environ 2>/dev/null | grep -qx "AGENT_CHAT_HOME=$0" || continue
      for fd in $p/fd/*; do readlink $fd; done 2>/dev/null
    done | sed -n 's/^socket:\\[\\(.*\\)\\]$/\\1/p' | sort -u > "$0/.inodes"
    awk 'NR==FNR { mine[$1]; next } $4 == "0A" && ($10 in mine) { print $2 }' "$0/.inodes" /proc/net/tcp /proc/net/tcp6
  `,
    home,
  ])
  return stdout.split('\n').filter(Boolean)
}
