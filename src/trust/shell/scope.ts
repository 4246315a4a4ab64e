import { wordList } from '../../system/wordList.ts'
import type { Operand } from './operand.ts'
import { UNKNOWN } from './operand.ts'
import type { Place } from './place.ts'
import { doubt } from './script.ts'

/**
 * What is known where a command of a script begins. `directories`: every one that it may begin in.
 */
export type Scope = {
  /** The whole command. */
  text: string
  place: Place
  variables: Map<string, Operand>
  directories: string[]
  inLoop: boolean
  /** Another program runs the command: no function or alias of the shell has a part in it. */
  byOther?: boolean
  /**
   * Whether the human lets these words pass, which nobody can tell to be reading, in one of these
   * directories. It is not asked inside of loops, conditions, brackets and substitutions, nor for
   * what reads from a pipe.
   */
  allows?: Allows | undefined
}

export type Allows = (words: string[], directories: string[]) => boolean

/** More directories than one would go through in a command. */
const MOST_DIRECTORIES = 16

/** Names in small letters that zsh gives a meaning to, or that programs obey. */
const SPECIAL = wordList(
  'aliases argv builtins cdpath commands compcontext context curcontext dirstack epochtime errnos fignore fpath funcstack functions functrace galiases histchars history historywords jobdirs jobstates jobtexts keymap langinfo mailpath manpath mapfile module_path modules nameddirs options parameters patchars path pipestatus precmd prompt psvar region_highlight reswords saliases signals status sysparams termcap terminfo userdirs usergroups watch words',
)
/** Names in capital letters that nothing else gives a meaning to. */
const CAPITALS =
  /^([A-Z]\d?|(APP|BASE|BIN|BRANCH|CFG|CLI|COMMIT|CONF|COUNT|CUR|CURRENT|DATA|DB|DEST|DIR|DIRS|DOC|DOCS|DST|END|F|FILE|FILES|FIRST|FROM|HASH|ID|IN|LAST|LATEST|LEN|LIB|LINE|LINES_TO_SHOW|LOG|LOGS|MOD|N|NAME|NUM|OLD|NEW|OUT|OUTPUT|P|PAT|PATTERN|PKG|PREV|PROJ|PROJECT|REF|REPO|RESULT|ROOT|S|SHA|SIZE|SRC|START|TAG|TARGET|TEST|TESTS|TEXT|TO|TOTAL|URL|VAL|VALUE|VER|VERSION|WORK|WS)\d?)$/

/**
 * Whether a command may set a variable of this name, for all that a shell or a program makes of its
 * name.
 */
export function isOwnVariable(name: string): boolean {
  if (CAPITALS.test(name)) return true
  return (
    /^[a-z][A-Za-z0-9_]*$/.test(name) &&
    !SPECIAL.has(name) &&
    !/^(npm|dis|zle|zsh)_|_proxy$/.test(name)
  )
}

export function copyOf(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    directories: [...scope.directories],
  }
}

/**
 * Takes into a scope that what another one of the same beginning tells may have happened, or not.
 */
export function merge(scope: Scope, other: Scope): void {
  for (const [name, operand] of other.variables)
    if (scope.variables.get(name) !== operand) scope.variables.set(name, UNKNOWN)
  moveTo(scope, other.directories)
}

export function set(scope: Scope, name: string, value: Operand): void {
  if (!isOwnVariable(name)) doubt(`setting the variable ${name}`)
  scope.variables.set(name, value)
}

/** A `cd` may fail, so the directories before it stay. */
export function moveTo(scope: Scope, directories: string[]): void {
  scope.directories = [...new Set([...scope.directories, ...directories])]
  if (scope.directories.length > MOST_DIRECTORIES) doubt('too many directories to follow')
}

/**
 * A directory as seen from another one, in the words of both: a `..` behind a name would lead two
 * shells to two places.
 */
export function composed(from: string, to: string): string {
  const path = to.startsWith('/') || from === '.' ? to : `${from}/${to}`
  if (/(^|\/)(?!\.{1,2}(\/|$))[^/]+\/(.*\/)?\.\.(\/|$)/.test(path))
    doubt('.. after a directory name in a path')
  return path
}
