import { expect, test } from 'vitest'
import { runCli } from '../../testing/cli.ts'
import { tempHome } from '../../testing/home.ts'

const run = (args: string[], env: Record<string, string> = {}) =>
  runCli(args, { home: tempHome('backend', 'frontend').root, env })

test.each<[string[], string]>([
  [['send', '@frontend', 'hi'], 'send @frontend hi --as human'],
  [['send', '@frontend', 'it is ready'], "send @frontend 'it is ready' --as human"],
  [['send', '@frontend', "it's `id` $HOME"], "send @frontend 'it'\\''s `id` $HOME' --as human"],
  [['send', '@frontend', 'a\nb'], 'send @frontend "…" --as human'],
  [['send', '@frontend', 'x'.repeat(99), '-u'], 'send @frontend "…" -u --as human'],
  [['send', '@frontend', '--', '--help'], 'send @frontend --as human -- --help'],
  [['ask', '@backend', 'Is it?', '-t', '2m'], "ask @backend 'Is it?' -t 2m --as human"],
  [['task', '@backend', 'page it'], "task @backend 'page it' --as human"],
  [['inbox'], 'inbox human'],
  [['inbox', '--count'], 'inbox human --count'],
])('%j: a person without a terminal is told the line to type', async (typed, line) => {
  const { code, stdout, stderr } = await run(typed)
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
  expect(stderr).toContain(
    `agent-chat: not inside a session\n  hint: a person without a terminal types: agent-chat ${line}; a session: join first with: `,
  )
})

test.each([['send @frontend hi --as human'], ['inbox human']])('that line runs: %s', async (line) =>
  expect(await run(line.split(' '))).toMatchObject({ code: 0 }),
)

test.each(['send @frontend hi', 'inbox'])(
  'an agent that never joined is told to join: %s',
  async (line) => {
    const { code, stderr } = await run(line.split(' '), { CLAUDECODE: '1' })
    expect({ code, human: stderr.includes('human') }).toEqual({ code: 6, human: false })
    expect(stderr).toContain('hint: join first with: agent-chat join <name>')
  },
)
