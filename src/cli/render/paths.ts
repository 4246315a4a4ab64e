/** A path as a person reads it: with `~` for their home. */
export function shortPath(path: string, userHome: string | undefined): string {
  return userHome && (path === userHome || path.startsWith(`${userHome}/`))
    ? `~${path.slice(userHome.length)}`
    : path
}
