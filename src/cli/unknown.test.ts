import { describe, expect, test } from 'vitest'
import { runCli } from '../testing/cli.ts'
import { tempDirectory, tempHome } from '../testing/home.ts'

/** PATH has no tmux, so whatever is taken for a session's name gets no further than that. */
const run = (args: string[], home = tempDirectory()) =>
  runCli(args, { home, env: { PATH: '/nowhere' } })

describe('what newcomers type is answered with what to type', () => {
  test.each([
    [
      'list',
      'did you mean: agent-chat who; to start a session of this name: agent-chat start list',
    ],
    ['chat', 'did you mean: agent-chat console; '],
    ['version', 'did you mean: agent-chat --version; '],
    ['-v', 'did you mean: agent-chat --version; see: '],
    ['read', 'did you mean: agent-chat inbox'],
    ['run frontend', 'did you mean: agent-chat start frontend; '],
    ['decide 1 2', 'did you mean: agent-chat reply; '],
    ['handover @frontend', 'did you mean: agent-chat send @frontend --handover; '],
    ['decisions', 'did you mean: agent-chat status human; '],
    ['new-session -s frontend', 'did you mean: agent-chat start frontend; '],
    ['kill-session -t frontend', 'did you mean: agent-chat stop frontend; '],
    ['exit-codes', 'did you mean: agent-chat help exit-codes; '],
    ['WHO', 'did you mean: agent-chat who\n'],
    ['stop all', 'to stop every session: agent-chat stop --all\n'],
    [
      'start frontend claude',
      "put the agent's own options after two dashes: agent-chat start frontend -- claude\n",
    ],
    ['blocked', 'did you mean: agent-chat gate; '],
    ['mute', 'did you mean: agent-chat pause; '],
    ['whois frontend', 'did you mean: agent-chat status frontend; '],
    ['tasks frontend', 'what one session does, and its tasks: agent-chat status frontend; '],
    ['open', 'did you mean: agent-chat start <name>; '],
    ['kill @frontend', 'did you mean: agent-chat stop frontend; '],
    ['tell frontend hello', 'did you mean: agent-chat send @frontend "…"; '],
    ['help nosuch', 'see: agent-chat --help'],
    ['help snd', 'did you mean: agent-chat send; '],
    ['Frontend', 'for a session, in small letters: agent-chat start frontend; '],
    ['front_end x', 'for a session, in small letters: agent-chat start front-end; '],
    [
      'frontend hello',
      'to start a session of this name: agent-chat start frontend; to write to it: agent-chat send @frontend "…"; ',
    ],
    [
      '@frontend hello',
      'to start a session of this name: agent-chat start frontend; to write to it: agent-chat send @frontend "…"; ',
    ],
    [
      'frontend --model opus',
      "put the agent's own options after two dashes: agent-chat start frontend -- --model opus; ",
    ],
    [
      'frontend --continue',
      "put the agent's own options after two dashes: agent-chat start frontend -- --continue; ",
    ],
    ['who --frob', 'see: agent-chat who --help'],
    ['send --subjekt', 'did you mean --subject? see: agent-chat send --help'],
    ['show', 'for example: agent-chat show k7f3m; see: agent-chat show --help'],
  ])('%s', async (line, hint) => {
    const { code, stdout, stderr } = await run(line.split(' '))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(stderr).toContain(`\n  hint: ${hint}`)
  })
})

test('whoami outside a session hints at what it takes', async () => {
  expect(await run(['whoami'])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/hint: join first with: agent-chat join <name>; at a terminal /),
  })
})

test.each(['help send', '-h send', '--help send'])('%s is the help of send', async (line) => {
  const { code, stdout } = await run(line.split(' '))
  expect({ code, stdout }).toEqual({ code: 0, stdout: (await run(['send', '--help'])).stdout })
})

describe('a word that may be a command is a name', () => {
  const noTmux = { code: 7, stderr: expect.stringContaining('tmux is not installed') }

  test('with a leading @', async () => expect(await run(['@list'])).toMatchObject(noTmux))

  test('where a session has it', async () => {
    const { root } = tempHome('chat', 'snd')
    expect(await run(['chat'], root)).toMatchObject(noTmux)
    expect(await run(['snd'], root)).toMatchObject(noTmux)
    expect(await run(['list'], root)).toMatchObject({ code: 2 })
  })

  test("and what stands behind two dashes is the agent's", async () =>
    expect(await run(['frontend', '--cmd', 'cat', '--', 'list', '--frob'])).toMatchObject(noTmux))
})
