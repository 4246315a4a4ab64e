import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALLOWED } from './allowed.ts'

test('agents may run what the skill allows, and nothing else', () => {
  const skill = join(import.meta.dirname, '..', '..', 'skills', 'agent-chat', 'SKILL.md')
  const listed = [...readFileSync(skill, 'utf8').matchAll(/Bash\((agent-chat [a-z]+):\*\)/g)]
  expect(ALLOWED).toEqual(listed.map(([, command]) => command))
})
