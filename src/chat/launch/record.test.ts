import { expect, test } from 'vitest'
import { argumentsBack } from '../../agents/argumentsBack.ts'
import { CLAUDE } from '../../agents/claude.ts'
import { withoutOurs } from './record.ts'

const ROOT = '/opt/agent-chat'
const OWN = [ROOT, `${ROOT}/room`]

const started = (room: boolean, ...given: string[]) => {
  const at = { root: ROOT, home: '/h', socket: '', input: '', program: 'claude', given }
  return [...CLAUDE.launch({ ...at, room }).before, ...given]
}

test.each<[string, string[]]>([
  ['nothing', []],
  ['a prompt', ['fix it']],
  ['rules of the user', ['--allowedTools', 'Bash(agent-chat:*)', 'Read']],
  ['rules in their other spelling', ['--allowed-tools', 'Bash(npm test)', '--model', 'opus']],
  ['our very rule, given by the user', ['--allowedTools', 'Bash(agent-chat inbox:*)']],
  ['a mode', ['--permission-mode', 'plan', '--', 'go on']],
  ['a plugin of the user', ['--plugin-dir', '/p', '--allowedTools', 'Bash(agent-chat who:*)']],
])('a start with %s leaves just that, and a second one adds ours once', (_, given) => {
  for (const room of [true, false]) {
    const words = started(room, ...given)
    expect(withoutOurs(words, OWN)).toEqual(given)
    const { back } = argumentsBack(withoutOurs(words, OWN), CLAUDE.resume)
    const again = started(room, ...back)
    const count = again.filter((word) => word === 'Bash(agent-chat inbox:*)').length
    expect(count).toBe(given.includes('Bash(agent-chat inbox:*)') ? 2 : 1)
  }
})

test.each<[string, string[]]>([
  ['no plugin of ours', ['--allowedTools', 'Bash(agent-chat inbox:*)', '--model', 'opus']],
  ['rules of the user before our plugin', ['--allowedTools', 'Read']],
])('what is not as start writes it stays: %s', (_, given) => {
  const plugin = given.includes('Read') ? ['--plugin-dir', ROOT] : []
  expect(withoutOurs([...given, ...plugin], OWN)).toEqual(given)
})
