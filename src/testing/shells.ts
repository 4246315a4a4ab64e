import { spawnSync } from 'node:child_process'

/** The variable in which a shell says its version, as none but it does. */
const SAYS = { bash: 'BASH_VERSION', zsh: 'ZSH_VERSION', fish: 'FISH_VERSION', dash: undefined }

/** Whether the first program of this name on `PATH` is that shell, and runs. */
export function shellRuns(shell: keyof typeof SAYS): boolean {
  const { [shell]: variable } = SAYS
  const text = variable ? `echo "runs $${variable}"` : 'echo "runs 1"'
  const { stdout } = spawnSync(shell, ['-c', text], { encoding: 'utf8', timeout: 20_000 })
  return /^runs \S/.test(stdout ?? '')
}
