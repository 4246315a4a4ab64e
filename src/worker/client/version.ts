import { CLAUDE } from '../../agents/claude.ts'
import { CodedError } from '../../errors.ts'
import { runQuietly } from '../../system/run.ts'

/** The oldest Claude Code whose lines and flags a worker knows. */
const OLDEST = '2.1.248'
const LIMIT_MS = 20_000

/** Throws `PROGRAM_MISSING` for a Claude Code that is too old, or does not run. */
export async function requireVersion(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { stdout, stderr } = await runQuietly([program, '--version'], env, LIMIT_MS)
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0]
  const hint = `install a newer one with: ${CLAUDE.install.join(' ')}@latest`
  if (version === undefined) {
    const said = (stderr || stdout).trim().split('\n')[0] ?? ''
    throw new CodedError('PROGRAM_MISSING', `Claude Code does not run: ${said || program}`, {
      hint,
    })
  }
  if (isOlder(version, OLDEST))
    throw new CodedError(
      'PROGRAM_MISSING',
      `Claude Code ${version} is too old for a worker, which needs ${OLDEST}`,
      { hint },
    )
}

function isOlder(version: string, than: string): boolean {
  const [one, two] = [version, than].map((text) => text.split('.').map(Number))
  for (const [at, number] of (two ?? []).entries())
    if (one?.[at] !== number) return (one?.[at] ?? 0) < number
  return false
}
