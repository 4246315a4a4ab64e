import { execFileSync } from 'node:child_process'

/**
 * How a run was asked for, as it is typed.
 * @param {string[]} args
 */
export function commandLine(args) {
  const words = args.map((arg) =>
    /^[\w./:=@+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`,
  )
  return ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
}

/**
 * The commit that a folder is at, with `+` where something there is not committed; undefined where it is no repository of its own, or there is no git.
 * @param {string} root
 */
export function commitOf(root) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    // Within another repository, a copy without its own would be told as that one's.
    if (git('rev-parse', '--show-prefix') !== '') return undefined
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return undefined
  }
}
