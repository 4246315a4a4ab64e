/**
 * No pager, no colours, and of what a repository can have git run: no monitor, no hooks, no checks
 * of signatures; nor a repository that is none by its name.
 */
const PLAIN = [
  ['color.ui', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['safe.bareRepository', 'explicit'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * No writing on the way, no questions, and nothing fetched that a part of a repository lacks: what
 * fetches is the repository's to say.
 */
const QUIET = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
}

/** Lists the filters that are configured, for `filtersOff`. */
export const FILTERS = 'config -z --show-scope --name-only --get-regexp ^filter\\.'.split(' ')

/** How to ask git about a directory, with nothing of the repository's own that would run a program. */
export function gitCall(
  cwd: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): { argv: [string, ...string[]]; env: NodeJS.ProcessEnv } {
  return {
    argv: ['git', '-C', cwd, '--no-pager', ...PLAIN, ...args],
    env: { ...env, ...QUIET },
  }
}

/**
 * Variables with which git runs none of the filters that the repository's own configuration names;
 * those of the user's stay, or what they filter would look changed. By variables (git 2.31), since
 * on a command line a name with `=` in it would be taken for another. `listed`: what git printed
 * for `FILTERS`.
 */
export function filtersOff(listed: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const words = listed.split('\0')
  const keys = words.filter((_, at) => /^(local|worktree)$/.test(words[at - 1] ?? ''))
  const names = [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('.'))))]
  const settings = names.flatMap((name) => [
    [`${name}.clean`, ''],
    [`${name}.process`, ''],
    [`${name}.required`, 'false'],
  ])
  // Others may have been set in the same way before.
  const from = Number(env.GIT_CONFIG_COUNT) || 0
  const variables = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${from + at}`, key],
    [`GIT_CONFIG_VALUE_${from + at}`, value],
  ])
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(from + settings.length) }
}
