import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * A home in one file: each file by its path, as text; a second name of one that has been named
 * already says which.
 */
export type StoredHome = { version: string; files: Record<string, string | { same: string }> }

/** Packs a home; what lives no longer than its process (locks, pids) stays behind. */
export function packHome(root: string, version: string): StoredHome {
  const files: StoredHome['files'] = {}
  const named = new Map<number, string>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path)
    if (!entry.isFile() || /\.lock$|\.pid$/.test(name)) continue
    const { ino } = statSync(path)
    const first = named.get(ino)
    if (first === undefined) named.set(ino, name)
    files[name] = first === undefined ? readFileSync(path, 'utf8') : { same: first }
  }
  return { version, files }
}

/** Makes the home again at `root`. */
export function unpackHome({ files }: StoredHome, root: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (typeof content === 'string') writeFileSync(path, content, { mode: 0o600 })
    else linkSync(join(root, content.same), path)
  }
}
