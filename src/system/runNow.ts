/**
 * Runs a program to its end, without a terminal, and gives what it prints; `input` is its standard
 * input. Never through a shell. For hooks, which have nothing else to do meanwhile.
 */
export function runNow(
  [program, ...args]: [string, ...string[]],
  input: string,
  env: NodeJS.ProcessEnv,
  limitMs: number,
): { code: number | null; stdout: string } {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stdout } = spawnSync(program, args, {
    ...{ input, env, timeout: limitMs, encoding: 'utf8' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return { code: status, stdout: stdout ?? '' }
}
