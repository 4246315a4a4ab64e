import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAIL_RULES } from '../agents/allowed.ts'
import { tempDirectory } from '../testing/home.ts'
import { asksForMail } from './mail.ts'

function asks(argv: string[], allow: string[] = []): boolean {
  const userHome = tempDirectory()
  mkdirSync(join(userHome, '.claude'))
  writeFileSync(join(userHome, '.claude/settings.json'), JSON.stringify({ permissions: { allow } }))
  return asksForMail({ env: {}, userHome, cwd: userHome, argv: ['claude', ...argv], managed: [] })
}

test.each<[argv: string[], allow: string[], asks: boolean]>([
  [[], [], true],
  [['--permission-mode', 'default'], [], true],
  [['--allowedTools', 'Bash(git:*)'], ['Bash(npm test)'], true],
  [['--allowedTools', 'Bash(agent-chat send:*)'], [], true],
  [['--allowedTools', ...MAIL_RULES, '--plugin-dir', '/p'], [], false],
  [['--allowed-tools', 'Bash(agent-chat:*),Read'], [], false],
  [['--allowed-tools=Read', 'Bash'], [], false],
  [['--permission-mode', 'bypassPermissions'], [], false],
  [['--dangerously-skip-permissions'], [], false],
  [[], MAIL_RULES, false],
  [[], ['Bash(agent-chat:*)'], false],
])('%j with %j in the settings asks: %s', (argv, allow, expected) => {
  expect(asks(argv, allow)).toBe(expected)
})
