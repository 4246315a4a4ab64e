import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERBS_OF_YOURS } from '../trust/human/rights.ts'
import { ALLOWED, MAIL_RULES } from './allowed.ts'

test('agents may run what the skill allows, and nothing else', () => {
  const skill = join(import.meta.dirname, '..', '..', 'skills', 'agent-chat', 'SKILL.md')
  const listed = [...readFileSync(skill, 'utf8').matchAll(/Bash\((agent-chat [a-z]+):\*\)/g)]
  expect(ALLOWED).toEqual(listed.map(([, command]) => command))
})

test('what start lets pass is among that, a rule a verb, and none of it is the person’s', () => {
  const verbs = MAIL_RULES.map((rule) => /^Bash\(agent-chat ([a-z]+):\*\)$/.exec(rule)?.[1] ?? rule)
  expect(verbs.filter((verb) => !ALLOWED.includes(`agent-chat ${verb}`))).toEqual([])
  const yours = VERBS_OF_YOURS.map((verb) => verb.split(' ')[0])
  expect(verbs.filter((verb) => yours.includes(verb))).toEqual([])
  expect(verbs).toContain('inbox')
  expect(verbs).toContain('reply')
})
