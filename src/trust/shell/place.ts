/**
 * What a judge may ask of the place where a command is to run. A directory or path is as seen from
 * there, never with `..` behind a name.
 */
export type Place = {
  /** Whether git, run in that directory, obeys no other repository than the session's. */
  isOwn: (directory: string) => boolean
  /** Whether the repository of that directory holds another one as a commit, or nobody can tell. */
  holdsOthers: (directory: string) => boolean
  /** Whether a file in that directory has a name that begins with `-`, as an option does. */
  holdsOptions: (directory: string) => boolean
  /** Whether reading that path comes to an end: it is no fifo, device or socket. */
  isPlain: (path: string) => boolean
  /** Whether that directory is the very one that the session was started in. */
  isRoot: (directory: string) => boolean
  /**
   * Whether a file of that name, with that in it, is in the directory that the session was started
   * in or in one above it, or nobody can tell. That of the home is the user's own.
   */
  finds: (name: string, text: RegExp) => boolean
  /** Whether a variable of that name says something to the session's commands, but for memory. */
  isSet: (name: string) => boolean
  /**
   * Whether `cd name` leads to `name` as seen from there, and to no other directory of that name.
   */
  cdIsPlain: boolean
  /** Whether a directory, by its whole path, is not there: nothing can be made in it. */
  isNowhere?: (directory: string) => boolean
  /** The home of the account, where it is known. */
  home: string | undefined
}
