import { FILTERS, filtersOff, gitCall } from '../system/git.ts'
import { runNow } from '../system/runNow.ts'
import { EVERY, type Kind } from '../trust/shell/gitSweeps.ts'

/** How long one question to git may take, in milliseconds: a hook waits for it. */
const GIT_MS = 3000
/** For more files than a command line takes, git is not asked. */
const MOST_FILES = 500
/** The directory decides which repository is asked, not the variables of whoever started the agent. */
const ELSEWHERE = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX']

/**
 * How git sees the changes of a file that are not committed, for files of a tree. A file that is as
 * it was committed has none. Where git does not say, any may be there.
 */
export function uncommittedIn(
  tree: string,
  files: string[],
  env: NodeJS.ProcessEnv,
): (file: string) => readonly Kind[] {
  const own = { ...env, ...Object.fromEntries(ELSEWHERE.map((name) => [name, undefined])) }
  const ask = (args: string[], more: NodeJS.ProcessEnv) => {
    const call = gitCall(tree, args, { ...own, ...more })
    return runNow(call.argv, '', call.env, GIT_MS)
  }
  if (files.length > MOST_FILES) return () => EVERY
  const filters = filtersOff(ask(FILTERS, {}).stdout, env)
  const shown = [
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '-uall',
    '--ignored',
    '--ignore-submodules',
  ]
  const said = ask(['--literal-pathspecs', 'status', ...shown, '--', ...files], filters)
  if (said.code !== 0) return () => EVERY
  const kinds = new Map(
    said.stdout.split('\0').map((entry) => [entry.slice(3), kindsOf(entry.slice(0, 2))]),
  )
  return (file) => kinds.get(file) ?? []
}

/** git-status(1): how a file differs from the last commit, and from what is staged. */
function kindsOf([staged, unstaged]: string): readonly Kind[] {
  if (staged === '?') return ['untracked']
  if (staged === '!') return ['ignored']
  return [
    ...(staged === ' ' ? [] : ['staged' as const]),
    ...(unstaged === ' ' ? [] : ['unstaged' as const]),
  ]
}
