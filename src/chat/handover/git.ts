import { FILTERS, filtersOff, gitCall } from '../../system/git.ts'
import { type RunAnswer, runQuietly } from '../../system/run.ts'
import type { Ports } from '../ports.ts'

export type GitPorts = Pick<Ports, 'env' | 'cwd'>
/** Asks git by its arguments and gives what it printed; undefined where it refuses. */
export type Git = (...args: string[]) => Promise<string | undefined>

/** How long one question to git may take, in milliseconds. */
export const GIT_MS = 10_000

/**
 * Asks git about this directory, by its arguments, with nothing of the repository's own that would
 * run a program; but see `withoutFilters`. `more`: further variables.
 */
export function runGit(
  { env, cwd }: GitPorts,
  args: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<RunAnswer> {
  const call = gitCall(cwd, args, { ...env, ...more })
  return runQuietly(call.argv, call.env, GIT_MS)
}

/** Variables with which git runs none of the filters of the repository's own. */
export async function withoutFilters(git: Git, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  return filtersOff((await git(...FILTERS)) ?? '', env)
}
