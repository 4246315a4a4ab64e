import { writeFileSync } from 'node:fs'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { DIST } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import type { TmuxServer } from '../e2e/harness/tmux.ts'

export type ShellOptions = {
  home: string
  width?: number
  cwd?: string
  env?: Record<string, string>
}

/** A person's shell in a pane of this server, with `agent-chat` on its path and this home. */
export function openShell(
  server: TmuxServer,
  { home, width, cwd, env = {} }: ShellOptions,
): Promise<Pane> {
  const bin = tempDirectory()
  const script = `#!/bin/sh\nexec '${RUNTIME}' '${DIST}/main.js' "$@"\n`
  writeFileSync(`${bin}/agent-chat`, script, { mode: 0o755 })
  const path = { PATH: `${bin}:${env.PATH ?? process.env.PATH}` }
  const all = { AGENT_CHAT_HOME: home, PS1: '$ ', ...env, ...path }
  // tmux keeps some variables for itself: PATH, TERM.
  const argv = [
    'env',
    ...Object.entries(all).map(([key, value]) => `${key}=${value}`),
    'bash',
    '--norc',
  ]
  const size = width === undefined ? {} : { width }
  return server.newSession({ argv, ...size, ...(cwd === undefined ? {} : { cwd }) })
}
