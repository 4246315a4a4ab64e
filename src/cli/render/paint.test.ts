import { expect, test } from 'vitest'
import { painter } from './paint.ts'

const at = (terminal: boolean, env = {}) => ({ env, isTerminal: async () => terminal })
const TEXT = 'k7f3m  @a → @human\n── k7f3m ──\nheld: x\n'

test('on a terminal ids are dim, and what needs its reader stands out', async () => {
  expect((await painter(at(true), /^held: .*$/gm))(TEXT)).toBe(
    '\u001b[2mk7f3m\u001b[0m  @a → @human\n\u001b[2m── k7f3m ──\u001b[0m\n\u001b[1;33mheld: x\u001b[0m\n',
  )
})

test.each([
  ['elsewhere', at(false)],
  ['with NO_COLOR', at(true, { NO_COLOR: '1' })],
])('%s the text stays as it is', async (_, ports) => {
  expect((await painter(ports, /^held: .*$/gm))(TEXT)).toBe(TEXT)
})
