import { CodedError } from '../../errors.ts'
import { jsonOf } from '../../system/json.ts'
import { runQuietly } from '../../system/run.ts'

/** Claude Code answers in 0.3 to 0.6 s; a version that does not know the question may wait. */
const LIMIT_MS = 5000

/** With one of these, Claude Code has something to log in with; whether it is right, the API knows. */
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/**
 * Throws `PROGRAM_MISSING` where Claude Code itself says that it has no key and no login. It looks
 * into its settings, files and keychain, and asks the API nothing.
 */
export async function requireLogin(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (KEYS.some((key) => env[key]?.trim())) return
  const { stdout } = await runQuietly([program, 'auth', 'status'], env, LIMIT_MS)
  if (Object(jsonOf(stdout)).loggedIn !== false) return
  throw new CodedError('PROGRAM_MISSING', 'Claude Code has no key and is not logged in', {
    hint: 'log in with: claude auth login; or set ANTHROPIC_API_KEY where you type agent-chat up',
  })
}
