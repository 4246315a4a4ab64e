import { expect, test } from 'vitest'
import { SHIPPED } from './shipped.ts'
import { toolsIn } from './tools.ts'

test.each([
  ['- create', true],
  ['- read, create', true],
  ['- create\n- edit', true],
  ['- write', false],
  ['- create\n- write', false],
  ['- Create\n- Write', false],
  ['- Write', false],
  ['- read', false],
])('%j creates only: %s', (text, createsOnly) =>
  expect(toolsIn(text)).toMatchObject({ createsOnly }),
)

test('a definition has as many tools as it names, of which list and glob are one', () => {
  const { tools, words } = toolsIn('- read\n- list\n- glob\n- nothing\n- read')
  expect(words).toEqual(['read', 'list', 'glob'])
  expect(tools).toEqual(['Read', 'Glob'])
})

test('the shipped agents have the tools that their descriptions promise', () => {
  const of = (name: string) => toolsIn(SHIPPED.find((one) => one.name === name)?.text ?? '')
  expect(of('general-purpose').words).toHaveLength(5)
  expect(of('code-focused')).toMatchObject({ createsOnly: true })
  expect(of('code-focused').tools).toContain('WebFetch')
})
