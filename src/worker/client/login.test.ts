// child_process: this file starts the program (see vitest.config.ts).
import { chmodSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempDirectory } from '../../testing/home.ts'
import { requireLogin } from './login.ts'

/** A program that answers `auth status` with this text. */
function saying(text: string, code: number): string {
  const path = `${tempDirectory()}/claude`
  const answer = `printf '%s' '${text}'; exit ${code}`
  writeFileSync(path, `#!/bin/sh\n[ "$*" = "auth status" ] || exit 9\n${answer}\n`)
  chmodSync(path, 0o755)
  return path
}

const OUT = JSON.stringify({ loggedIn: false, authMethod: 'none' }, null, 2)

test.each([{}, { ANTHROPIC_API_KEY: '' }, { ANTHROPIC_AUTH_TOKEN: ' ' }])(
  'with %j and no login, it says so',
  async (env) => {
    await expect(requireLogin(saying(OUT, 1), env)).rejects.toMatchObject({
      message: 'Claude Code has no key and is not logged in',
      hint: expect.stringContaining('claude auth login'),
    })
  },
)

test.each([
  ['a login', saying.bind(undefined, '{"loggedIn": true}', 0), {}],
  ['a version that does not know the question', saying.bind(undefined, 'unknown command', 1), {}],
  ['no answer', saying.bind(undefined, '', 1), {}],
  ['a key, which is not asked about', saying.bind(undefined, OUT, 1), { ANTHROPIC_API_KEY: 'k' }],
] as const)('%s is no reason not to start', async (_, program, env) => {
  await expect(requireLogin(program(), { PATH: process.env.PATH, ...env })).resolves.toBeUndefined()
})
