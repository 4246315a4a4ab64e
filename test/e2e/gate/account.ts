import { execFile } from 'node:child_process'
import { copyFile, link, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Whom the processes of a scene run as. */
export interface Account {
  uid: number
  gid: number
}

/** `nobody`, on Debian as elsewhere. */
const NOBODY: Account = { uid: 65534, gid: 65534 }

/**
 * An account that is not root's: the client refuses to bypass permissions as root. Undefined where
 * this process is not root anyway.
 */
export function plainAccount(): Account | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined
}

/** The command line that runs `argv` as `account`. Needs util-linux's setpriv. */
export function as(account: Account | undefined, argv: readonly string[]): string[] {
  if (!account) return [...argv]
  return [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--',
    ...argv,
  ]
}

/** Gives `folders` and all that is in them to `account`. */
export async function give(account: Account | undefined, ...folders: string[]): Promise<void> {
  if (account)
    await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, ...folders])
}

/**
 * A directory under `dir` that holds the client where everyone may run it; the cache that it was
 * installed into is its owner's alone.
 */
export async function sharedClient(claude: string, dir: string): Promise<string> {
  const folder = join(dir, 'client')
  const target = await realpath(claude)
  await mkdir(folder, { mode: 0o755 })
  await link(target, join(folder, 'claude')).catch(() => copyFile(target, join(folder, 'claude')))
  return folder
}
