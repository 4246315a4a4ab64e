import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ABILITIES, type Ability, type Agent } from '../../src/agents/agent.ts'
import { AGENTS } from '../../src/agents/agents.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** What an agent has, where that is more than a yes. */
const WORDS: Partial<Record<Ability, (agent: Agent) => string>> = {
  wake: ({ wake }) => (wake === 'tmux' ? 'yes' : 'yes, nothing is typed'),
  // A hook that cannot refuse would leave it at advice.
  claims: ({ lacks }) => (lacks.gate ? 'advised' : 'guarded'),
}

test('the table of docs/agents.md is what the agents say of themselves', () => {
  const cell = (agent: Agent, ability: Ability) =>
    agent.lacks[ability] ?? WORDS[ability]?.(agent) ?? 'yes'
  const row = (words: string[]) => `| ${words.join(' | ')} |`
  const rows = Object.entries(ABILITIES).map(([ability, words]) =>
    row([words, ...AGENTS.map((agent) => cell(agent, ability as Ability))]),
  )
  const head = [row(['', ...AGENTS.map(({ title }) => title)]).replace('|  |', '| |')]
  const rule = `|${'---|'.repeat(AGENTS.length + 1)}`
  const versions = row(['oldest version', ...AGENTS.map(({ versions: { oldest } }) => oldest)])
  const table = [...head, rule, versions, ...rows].join('\n')
  expect(readFileSync(join(ROOT, 'docs', 'agents.md'), 'utf8')).toContain(table)
})

test('an agent is one file of at most 250 lines', () => {
  for (const { name } of AGENTS) {
    const text = readFileSync(join(ROOT, 'src', 'agents', `${name}.ts`), 'utf8')
    expect(text.split('\n').length).toBeLessThanOrEqual(250)
  }
})
