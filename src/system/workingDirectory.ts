import { isErrno } from './errno.ts'

/**
 * The directory that this process was started in. Where that has been removed (a worktree, say),
 * the process goes on in `/`, so that whatever it starts can start, and this gives the path that the
 * shell last knew.
 */
export function workingDirectory(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    process.chdir('/')
    return env.PWD?.startsWith('/') ? env.PWD : '/'
  }
}
