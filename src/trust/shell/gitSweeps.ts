import { ANY } from './commands.ts'

/** How git sees a change that is not committed; one may be staged and unstaged at once. */
export type Kind = 'staged' | 'unstaged' | 'untracked' | 'ignored'

/**
 * A command that takes changes out of a working tree. `directories`: where it may run, as seen from
 * where the whole line begins. `paths`: what it takes them from, `all` for the tree around the
 * directory; there, `*`, `?` and `[` stand for any name and `ANY` for any text. `orBranch`: where
 * the path is none it is a branch, and the whole tree is changed. `patches`: only the files that
 * these patches name. `kinds`: of which changes.
 */
export type Sweep = {
  text: string
  directories: string[]
  paths: string[] | 'all'
  orBranch?: true
  patches?: string[]
  kinds: readonly Kind[]
}

/** What a command takes away, before it is known where that is. */
export type Taken = Pick<Sweep, 'paths' | 'orBranch' | 'patches' | 'kinds'>

export const TRACKED: readonly Kind[] = ['staged', 'unstaged']
export const EVERY: readonly Kind[] = [...TRACKED, 'untracked', 'ignored']

/**
 * The words behind a subcommand: options one by one, a value behind its option left out; `after`:
 * what is behind `--`, if that is there.
 */
type Args = { options: string[]; operands: string[]; after: string[] | undefined }

const UNSTAGED: readonly Kind[] = ['unstaged']
const STAGED: readonly Kind[] = ['staged']
/** Options of git before the subcommand that have a value. */
const GIT_VALUE = /^(?:-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/

/** What a call of git takes out of a working tree. */
export function gitSweeps(
  words: string[],
  { text, directories: from }: Pick<Sweep, 'text' | 'directories'>,
): Sweep[] {
  let directories = from
  const set: string[] = []
  let at = 0
  for (; words[at]?.startsWith('-'); at += 1) {
    const [option = '', ...rest] = (words[at] ?? '').split('=')
    const isApart = rest.length === 0 && (option === '-C' || GIT_VALUE.test(option))
    const value = isApart ? (words[at + 1] ?? '') : rest.join('=')
    if (isApart) at += 1
    if (option === '-c') set.push(value.toLowerCase())
    if (option === '-C' || option === '--work-tree')
      directories = directories.map((one) => (value.startsWith('/') ? value : `${one}/${value}`))
  }
  const [name = '', ...args] = words.slice(at)
  const taken = Object.hasOwn(GIT, name) ? GIT[name]?.(args, set) : undefined
  return taken === undefined ? [] : [{ text, directories, ...taken }]
}

/** What of a subcommand takes changes away; the options are git's own, as of 2.50. */
const GIT: Record<string, (words: string[], set: string[]) => Taken | undefined> = {
  checkout,
  restore: (words) => {
    const args = argsOf(words, 's', ['source', 'pathspec-from-file', 'conflict', 'unified'])
    const isStaged = has(args, 'S', 'staged')
    if (isStaged && !has(args, 'W', 'worktree')) return undefined
    const isFrom = isStaged || has(args, 's', 'source')
    return { paths: pathsOf(args) ?? 'all', kinds: isFrom ? TRACKED : UNSTAGED }
  },
  reset: (words) => {
    const args = argsOf(words, '', [])
    if (has(args, '', 'hard')) return { paths: 'all', kinds: TRACKED }
    return has(args, '', 'merge') ? { paths: 'all', kinds: STAGED } : undefined
  },
  clean: (words, set) => {
    const args = argsOf(words, 'e', ['exclude'])
    const isFree = set.includes('clean.requireforce=false')
    if (
      has(args, 'n', 'dry-run') ||
      !(isFree || has(args, 'f', 'force') || has(args, 'i', 'interactive'))
    )
      return undefined
    const kinds: Kind[] = [
      ...(has(args, 'X', '') ? [] : ['untracked' as const]),
      ...(has(args, 'X', '') || has(args, 'x', '') ? ['ignored' as const] : []),
    ]
    const paths = pathsOf(args)
    return { paths: paths?.length === 0 ? ['.'] : (paths ?? 'all'), kinds }
  },
  stash,
  switch: (words) => {
    const args = argsOf(words, 'cC', ['create', 'force-create', 'orphan', 'conflict'])
    const isForced = has(args, 'f', 'force') || has(args, '', 'discard-changes')
    const isThere = args.operands.length === 0 && !has(args, '', 'orphan')
    return isThere && !isForced ? undefined : { paths: 'all', kinds: TRACKED }
  },
  worktree: ([verb, ...words]) => {
    if (verb !== 'remove') return undefined
    // The end of its path is enough.
    const { operands } = argsOf(words, '', [])
    const ends = operands.filter((path) => /^[^./]/.test(path)).map((path) => `/${ANY}/${path}`)
    return { paths: [...operands, ...ends], kinds: EVERY }
  },
  rm: (words) => {
    const args = argsOf(words, '', ['pathspec-from-file'])
    if (has(args, '', 'cached') || has(args, 'n', 'dry-run')) return undefined
    return { paths: pathsOf(args) ?? 'all', kinds: TRACKED }
  },
  'checkout-index': (words) => {
    const args = argsOf(words, '', ['prefix', 'stage'])
    const paths = has(args, 'a', 'all') || has(args, '', 'stdin') ? 'all' : args.operands
    return has(args, 'f', 'force') ? { paths, kinds: UNSTAGED } : undefined
  },
  'read-tree': (words) => {
    const args = argsOf(words, '', [])
    return has(args, 'u', '') && has(args, '', 'reset')
      ? { paths: 'all', kinds: TRACKED }
      : undefined
  },
  apply: (words) => {
    const args = argsOf(words, 'pC', ['exclude', 'include', 'directory', 'whitespace'])
    const isLook = ['check', 'stat', 'numstat', 'summary', 'cached'].some((one) =>
      has(args, '', one),
    )
    const patches = [...args.operands, ...(args.after ?? [])].filter((path) => path !== '-')
    if (!has(args, 'R', 'reverse') || isLook) return undefined
    const isKnown = patches.length > 0 && !patches.some((path) => path.includes(ANY))
    return isKnown ? { paths: 'all', patches, kinds: EVERY } : { paths: 'all', kinds: TRACKED }
  },
  merge: stashesItself,
  rebase: stashesItself,
  pull: stashesItself,
  'cherry-pick': stashesItself,
  revert: stashesItself,
  am: stashesItself,
  submodule: ([verb, ...words]) => {
    const args = argsOf(words, '', ['depth', 'reference', 'jobs'])
    const isForced = has(args, 'f', 'force')
    if (!isForced || (verb !== 'update' && verb !== 'deinit')) return undefined
    const paths = [...args.operands, ...(args.after ?? [])]
    return { paths: paths.length === 0 ? ['.'] : paths, kinds: TRACKED }
  },
}

function checkout(words: string[]): Taken | undefined {
  const args = argsOf(words, 'bB', ['orphan', 'pathspec-from-file', 'conflict'])
  const { operands, after } = args
  const isForced = has(args, 'f', 'force')
  const paths = pathsOf(args)
  if (paths === undefined) return { paths: 'all', kinds: TRACKED }
  const isNew = has(args, 'b', '') || has(args, 'B', '') || has(args, '', 'orphan')
  if (after === undefined && (isNew || operands.length === 0))
    return isForced || operands.length > 0 ? { paths: 'all', kinds: TRACKED } : undefined
  if (after !== undefined && after.length > 0)
    return { paths: after.map(pathspec), kinds: operands.length > 0 ? TRACKED : UNSTAGED }
  if (operands.length > 1) return { paths, kinds: TRACKED }
  return /^\.\/?$/.test(operands[0] ?? '')
    ? { paths, kinds: UNSTAGED }
    : { paths, orBranch: true, kinds: TRACKED }
}

function stash([verb, ...words]: string[]): Taken | undefined {
  const isPush = verb === undefined || verb.startsWith('-')
  if (!isPush && verb !== 'push' && verb !== 'save') return undefined
  const args = argsOf(isPush && verb !== undefined ? [verb, ...words] : words, 'm', [
    'message',
    'pathspec-from-file',
  ])
  const kinds: Kind[] = has(args, 'k', 'keep-index') ? [...UNSTAGED] : [...TRACKED]
  if (has(args, 'u', 'include-untracked') || has(args, 'a', 'all')) kinds.push('untracked')
  if (has(args, 'a', 'all')) kinds.push('ignored')
  const paths = verb === 'save' ? [] : pathsOf(args)
  return {
    paths: paths === undefined || paths.length === 0 ? 'all' : paths,
    kinds: has(args, 'S', 'staged') ? STAGED : kinds,
  }
}

/** It puts everybody's changes away while it works, or gives up by setting the tree back. */
function stashesItself(words: string[], set: string[]): Taken | undefined {
  const args = argsOf(words, 'mXs', ['onto', 'strategy', 'exec'])
  const isSet = set.some((one) => /^(?:rebase|merge)\.autostash(?:=true|=1|$)/.test(one))
  const isOn = (isSet || has(args, '', 'autostash')) && !has(args, '', 'no-autostash')
  return isOn || has(args, '', 'abort') || has(args, '', 'skip')
    ? { paths: 'all', kinds: TRACKED }
    : undefined
}

/** `short`: letters of options with a value, `long`: their names. A value is left out. */
function argsOf(words: string[], short: string, long: string[]): Args {
  const end = words.indexOf('--')
  const [before, after] = end < 0 ? [words, undefined] : [words.slice(0, end), words.slice(end + 1)]
  const options: string[] = []
  const operands: string[] = []
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? ''
    if (!/^-./.test(word)) operands.push(word)
    else if (word.startsWith('--')) {
      options.push(word.replace(/=.*/s, ''))
      if (!word.includes('=') && long.some((name) => isLong(word, name))) at += 1
    } else {
      const valued = [...word].findIndex((letter) => short.includes(letter))
      const letters = valued < 0 ? word : word.slice(0, valued + 1)
      options.push(...[...letters.slice(1)].map((letter) => `-${letter}`))
      if (valued === word.length - 1) at += 1
    }
  }
  return { options, operands, after }
}

/** Whether an option is there, by its letter or its name, which git takes for its beginning as well. */
function has({ options }: Args, letter: string, name: string): boolean {
  return options.some(
    (option) => (letter !== '' && option === `-${letter}`) || (name !== '' && isLong(option, name)),
  )
}

function isLong(option: string, name: string): boolean {
  const isNo = /^--no-/.test(option)
  return option.length > 3 && `--${name}`.startsWith(option) && isNo === name.startsWith('no-')
}

/** What a command names; undefined where that is in a file, or is more than a path. */
function pathsOf(args: Args): string[] | undefined {
  const paths = [...args.operands, ...(args.after ?? [])]
  return has(args, '', 'pathspec-from-file') || paths.some((path) => path.startsWith(':'))
    ? undefined
    : paths.map(pathspec)
}

/** A wildcard of git's own goes across folders. */
function pathspec(path: string): string {
  const like = path.replace(/[*?]+/g, ANY)
  return like.startsWith(ANY) && !path.startsWith(ANY) ? `./${like}` : like
}
