/** The user's number, or undefined on a system that has none. */
export function userId(): number | undefined {
  return process.getuid?.()
}

export function userHome(): string {
  // `node:os` costs a start-up that hardly anyone needs.
  return process.env.HOME || process.getBuiltinModule('node:os').homedir()
}

/** The number of this process, for names of temporary files that no other process may take. */
export function ownPid(): number {
  return process.pid
}
