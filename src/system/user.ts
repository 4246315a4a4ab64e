/** The user's number, or undefined on a system that has none. */
export function userId(): number | undefined {
  return process.getuid?.()
}

/** The user's directory by this environment, and where it has none by the account. */
export function userHome({ HOME }: NodeJS.ProcessEnv = process.env): string {
  // `node:os` costs a start-up that hardly anyone needs. Its `homedir()` would take HOME again.
  return HOME || process.getBuiltinModule('node:os').userInfo().homedir
}

/** The number of this process, for names of temporary files that no other process may take. */
export function ownPid(): number {
  return process.pid
}
