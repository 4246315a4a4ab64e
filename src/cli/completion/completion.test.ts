import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { verbs } from '../../message/verbs.ts'
import { installCompletion, type Shell } from '../../setup/completion.ts'
import { systemTmux } from '../../system/tmux.ts'
import { cleanEnv, ROOT, runCli } from '../../testing/cli.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { leftOut } from '../../testing/leftOut.ts'
import { shellRuns } from '../../testing/shells.ts'
import { until } from '../../testing/until.ts'

/** A user with a home of messages, who finds agent-chat on the path. */
function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (kind: string, body: string) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind, body }).message.id
  const place = tempDirectory()
  const env = {
    ...cleanEnv({ home: bus.home.root }),
    HOME: place,
    PATH: `${join(ROOT, 'bin')}:${process.env.PATH}`,
    TERM: 'screen',
    LANG: 'C.UTF-8',
  }
  return { bus, send, place, env }
}

const scripts: Record<string, string> = {}

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    scripts[shell] = (await runCli(['completion', shell], { home: '/nowhere' })).stdout
})

describe('the command', () => {
  test.each(['bash', 'zsh', 'fish'] as const)(
    'the script for %s is one that it can read',
    (shell) => {
      expect(scripts[shell]).toContain('agent-chat completion --at ')
      if (!shellRuns(shell)) return
      const path = join(tempDirectory(), 'script')
      writeFileSync(path, scripts[shell] ?? '')
      const run = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
      expect([run.status, run.stderr]).toEqual([0, ''])
    },
  )

  test('without a shell, or with another, it is bad usage and says what there is', async () => {
    expect(await runCli(['completion'], { home: '/nowhere' })).toMatchObject({
      code: 2,
      stdout: '',
    })
    const run = await runCli(['completion', 'tcsh'], { home: '/nowhere' })
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('bash, zsh, fish')
  })

  test('has every command of the help, and every flag of its help', async () => {
    const { stdout } = await runCli(['help', '--all'], { home: '/nowhere' })
    const rows = stdout.matchAll(/^(?:[A-Z][a-z]+)? +([a-z-]+(?:, [a-z-]+)*) {2,}[A-Z]/gm)
    const verbs = [...rows].flatMap(([, words = '']) => words.split(', '))
    expect(verbs.length).toBeGreaterThan(20)
    const helps = await Promise.all(
      verbs.map((verb) => runCli([verb, '--help'], { home: '/nowhere' })),
    )
    const offered = await Promise.all(
      verbs.map((verb) => runCli(['completion', '--at', verb, '-'], { home: '/nowhere' })),
    )
    for (const [at, verb] of verbs.entries()) {
      const flags = [...(helps[at]?.stdout.matchAll(/^ {2}(?:-., )?(--[a-z-]+)/gm) ?? [])].map(
        ([, flag]) => flag,
      )
      const known = offered[at]?.stdout.match(/^--[a-z-]+/gm)
      expect([verb, known?.sort()]).toEqual([verb, flags.sort()])
    }
  })
})

describe('what is offered', () => {
  const at = async (home: string, ...words: string[]) =>
    (await runCli(['completion', '--at', ...words], { home })).stdout
  const first = (text: string) => text.split('\n').flatMap((line) => line.split('\t')[0] || [])

  test.each<[string[], string[]]>([
    [['@'], ['@backend', '@frontend']],
    [
      ['send', ''],
      ['@backend', '@frontend', '@human'],
    ],
    [
      ['send', 'b'],
      ['backend', 'frontend', 'human'],
    ],
    [['send', '@backend', 'hello', ''], []],
    [
      ['send', '--from=@f'],
      ['--from=@backend', '--from=@frontend', '--from=@human'],
    ],
    [['send', '--subject', ''], []],
    [
      ['send', '--subject', '--', '@'],
      ['@backend', '@frontend', '@human'],
    ],
    [
      ['send', '--subject=x', '@'],
      ['@backend', '@frontend', '@human'],
    ],
    [
      ['send', '--quiet=', '--wait', 'r'],
      ['arrived', 'rung', 'presented', 'read', 'answered'],
    ],
    [
      ['send', '--', '--kind='],
      ['backend', 'frontend', 'human'],
    ],
    [
      ['rename', ''],
      ['@backend', '@frontend'],
    ],
    [['rename', '@backend', ''], []],
    [['status', '@backend', ''], []],
    [['reply', '1', '-', ''], []],
    [['inbox', '-', ''], []],
    [
      ['export', '--format', ''],
      ['markdown', 'json'],
    ],
    [['send', '@backend', '--file', 'a'], [':files']],
    [['send', '@backend', '--file=a'], [':files']],
    [['watch-file', ''], [':files']],
    [['watch-file', '--remove', ''], [':files']],
    [
      ['setup', '--completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['setup', '--completion', '-'],
      [
        '--json',
        '--yes',
        '--check',
        '--completion',
        '--agent',
        '--mcp',
        '--remove',
        '--native',
        '--no-native',
        '--no-ring',
        '-h',
        '--help',
      ],
    ],
    [
      ['completion', '-'],
      ['--json', '-h', '--help'],
    ],
    [['--cmd', ''], []],
    [
      ['--cmd', 'send', '@'],
      ['@backend', '@frontend'],
    ],
    [
      ['--detach', 'send', '@f'],
      ['@backend', '@frontend', '@human'],
    ],
    [['backend', ''], []],
    [['backend', '--', '-'], []],
    [['nowhere-else', 'send', '@'], []],
  ])('%j', async (words, expected) => {
    expect(first(await at(world().bus.home.root, ...words))).toEqual(expected)
  })

  test('the workers, where one is wanted; commands and topics behind help', async () => {
    const { bus } = world()
    await runCli(['agents', 'init'], { home: bus.home.root })
    const workers = [
      ...['@backend', '@chatter', '@code-focused', '@frontend', '@general-purpose'],
      ...['@planner', '@researcher'],
    ]
    for (const words of [['up', '@planner'], ['down'], ['logs'], ['work'], ['agents', 'show']])
      expect(first(await at(bus.home.root, ...words, ''))).toEqual(workers)
    const topics = first(await at(bus.home.root, 'help', ''))
    expect(topics).toEqual(expect.arrayContaining(['send', 'schedule', 'exit-codes']))
  })

  test.each([[['-']], [['--detach', '-']], [['backend', '--de']]])(
    "%j is one of the launcher's flags, but none that its help does not show",
    async (words) => {
      const offered = first(await at('/nowhere', ...words))
      expect(offered).toEqual(expect.arrayContaining(['-V', '--version', '--cmd', '--no-tmux']))
      expect(offered).not.toContain('--handover')
    },
  )

  test('each command and each flag says what it is', async () => {
    expect(await at('/nowhere', '')).toContain('send\tSend a message to one session\n')
    expect(await at('/nowhere', 'send', '-')).toContain('--handover\tsend a handover and check')
  })

  test('a registry that cannot be read takes away the names, not the commands', async () => {
    const { root, sessions } = world().bus.home
    writeFileSync(sessions, '{"$(touch x)": {}}')
    expect(first(await at(root, ''))).toEqual(
      verbs().flatMap((verb) => ('hidden' in verb ? [] : [verb.word])),
    )
    expect(await at(root, 'send', '')).toBe('')
  })
})

describe('the words that the scripts of an older version ask for', () => {
  const words = (home: string, kind: string) => runCli(['completion', '--words', kind], { home })

  test('names with the human, sessions without', async () => {
    const { bus } = world()
    expect((await words(bus.home.root, 'names')).stdout).toBe('backend\nfrontend\nhuman\n')
    expect((await words(bus.home.root, 'sessions')).stdout).toBe('backend\nfrontend\n')
  })

  test('ids of messages, the newest first, and what they are about; of open tasks', async () => {
    const { bus, send } = world()
    const [one, two, three] = [
      send('note', 'a\tb\n\u001b[2J'),
      send('task', 'do it'),
      send('task', 'do that'),
    ]
    expect((await words(bus.home.root, 'ids')).stdout.split('\n').slice(2)).toEqual([
      `${shortId(one)}\t@backend → @frontend note: a b ^[[2J`,
      '',
    ])
    const open = (await words(bus.home.root, 'tasks')).stdout
    expect(open.match(/^\S+/gm)).toEqual([shortId(three), shortId(two)])
  })

  test('a home that is not there, or cannot be read, has none', async () => {
    expect(await words('/nowhere', 'names')).toMatchObject({ code: 0, stdout: 'human\n' })
    expect(await words('/nowhere', 'ids')).toMatchObject({ code: 0, stdout: '' })
  })

  test('an id that no message can have is none', async () => {
    const { bus, send } = world()
    send('note', 'x')
    const line = {
      at: '2026-01-01',
      event: 'sent',
      id: '$(touch x)',
      from: 'a',
      to: 'b',
      preview: '',
    }
    writeFileSync(bus.home.history, `${JSON.stringify(line)}\n`)
    expect((await words(bus.home.root, 'ids')).stdout).toBe('')
  })
})

describe('bash', leftOut(!shellRuns('bash') && 'bash does not run'), () => {
  /** What Tab has to offer behind this line. */
  function offers(line: string, env: NodeJS.ProcessEnv, cwd: string): string[] {
    const breaks = `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:' COMP_LINE=$1 COMP_POINT=\${#1}`
    const script = `${scripts.bash}\n${breaks}\n_agent_chat; printf "%s\\n" "\${COMPREPLY[@]}"`
    const run = spawnSync('bash', ['--noprofile', '--norc', '-c', script, 'bash', line], {
      env,
      cwd,
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    return run.stdout.split('\n').filter((word) => word !== '')
  }

  test.each<[string, string[]]>([
    ['agent-chat se', ['send', 'search', 'setup']],
    ['agent-chat ba', ['backend']],
    ['agent-chat @', ['@backend', '@frontend']],
    ['agent-chat send ', ['@backend', '@frontend', '@human']],
    ['agent-chat send @b', ['@backend']],
    ['agent-chat send b', ['backend']],
    ['agent-chat send @backend hello ', []],
    ['agent-chat send @backend --qui', ['--quiet']],
    ['agent-chat send @backend --kind re', ['reply', 'result']],
    ['agent-chat send --kind=re', ['reply', 'result']],
    ['agent-chat send --from=@f', ['@frontend']],
    ['agent-chat send --kind note @f', ['@frontend']],
    ['agent-chat send --subject @b @f', ['@frontend']],
    ['agent-chat send -- @f', ['@frontend']],
    ['agent-chat send -- --k', []],
    ['agent-chat send @backend --file a', ['a b.md', 'ab']],
    ['agent-chat send @backend --file=ab', ['ab']],
    ['agent-chat search x --since ', []],
    ['agent-chat backend --de', ['--detach']],
    ['agent-chat completion ', ['bash', 'zsh', 'fish']],
    ['agent-chat nowhere-else ', []],
    ['agent-chat   send   @f', ['@frontend']],
    ['agent-chat --json send @f', ['@frontend']],
    ['agent-chat show $(touch', []],
  ])('%s', (line, expected) => {
    const { env, place } = world()
    for (const file of ['a b.md', 'ab']) writeFileSync(join(place, file), '')
    expect(offers(line, env, place).sort()).toEqual([...expected].sort())
  })

  test('ids, of what was said last', () => {
    const { env, place, send } = world()
    const [note, task] = [send('note', 'x'), send('task', 'y')]
    expect(offers('agent-chat show ', env, place).sort()).toEqual(
      [note, task].map((id) => shortId(id)).sort(),
    )
    expect(offers('agent-chat done ', env, place)).toEqual([shortId(task)])
    expect(
      offers(`agent-chat send @backend --reply-to ${shortId(task).slice(0, 4)}`, env, place),
    ).toEqual([shortId(task)])
  })
})

describe('fish', leftOut(!shellRuns('fish') && 'fish does not run'), () => {
  test.each<[string, string[]]>([
    ['agent-chat ba', ['backend']],
    ['agent-chat @', ['@backend', '@frontend']],
    ['agent-chat send ', ['@backend', '@frontend', '@human']],
    ['agent-chat send b', ['backend']],
    ['agent-chat send @backend hello ', []],
    ['agent-chat send @backend --qui', ['--quiet']],
    ['agent-chat send @backend --kind re', ['reply', 'result']],
    ['agent-chat send --from=@f', ['--from=@frontend']],
    ['agent-chat send --kind note @f', ['@frontend']],
    ['agent-chat send @backend --file a', ['a b.md', 'ab']],
    ['agent-chat search send @', []],
    ['agent-chat backend --de', ['--detach']],
    ['agent-chat completion ', ['bash', 'fish', 'zsh']],
  ])('%s', (line, expected) => {
    const { env, place } = world()
    for (const file of ['a b.md', 'ab']) writeFileSync(join(place, file), '')
    const script = `${scripts.fish}\ncomplete -C $argv[1]`
    const run = spawnSync('fish', ['--no-config', '-c', script, line], {
      env,
      cwd: place,
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    const words = run.stdout.split('\n').filter((word) => word !== '')
    expect(words.map((word) => word.split('\t')[0]).sort()).toEqual([...expected].sort())
  })
})

/**
 * How a person's shell starts, with what `setup --completion` has put in place and the line that it
 * says is needed.
 */
const STARTS: Record<
  Shell,
  { files: (place: string, made: string) => Record<string, string>; argv: string[] }
> = {
  bash: {
    files: (_, made) => ({ '.bashrc': `PS1='> '\n. ${made}\n` }),
    argv: ['--noprofile', '--rcfile', '.bashrc', '-i'],
  },
  zsh: {
    files: (_, made) => ({
      '.zshrc': `PS1='> '\nfpath=(${dirname(made)} $fpath); autoload -Uz compinit && compinit -u\n`,
    }),
    argv: ['-d', '-i'],
  },
  fish: {
    files: () => ({
      '.config/fish/config.fish': "function fish_prompt; echo '> '; end\nset -g fish_greeting\n",
    }),
    argv: ['-i'],
  },
}

describe.each(['bash', 'zsh', 'fish'] as const)('a person at %s', (shell) => {
  test(
    'presses Tab, with what setup has put in place',
    leftOut(!shellRuns(shell) && `${shell} does not run`),
    async () => {
      const { env, place, send } = world()
      const id = send('note', 'a: b $(touch made) `touch made`\u001b]0;x\u0007; touch made')
      writeFileSync(join(place, 'a b.md'), '')
      const made = installCompletion(shell, {}, place).detail.replace(/^made (.*), for .*$/, '$1')
      const { files, argv } = STARTS[shell]
      for (const [file, text] of Object.entries(files(place, made))) {
        mkdirSync(dirname(join(place, file)), { recursive: true })
        writeFileSync(join(place, file), text)
      }
      const server = systemTmux(() => '')
      const socket = join(place, 'tmux.sock')
      onTestFinished(async () => void (await server.run(['kill-server'], socket)))
      const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`)
      const start = [
        '-f',
        '/dev/null',
        'new-session',
        '-d',
        '-x',
        '100',
        '-y',
        '30',
        '-c',
        place,
        '--',
        '/usr/bin/env',
        '-i',
      ]
      await server.run([...start, ...variables, shell, ...argv], socket)
      const line = async () => {
        const { stdout } = await server.run(['capture-pane', '-p'], socket)
        return stdout.split('\n').findLast((text) => text.startsWith('>'))
      }
      const type = async (text: string, expected: string) => {
        await until('an empty line', async () => (await line())?.trim() === '>')
        await server.run(['send-keys', '-l', text], socket)
        await server.run(['send-keys', 'Tab'], socket)
        await until(
          `${expected}, in place of ${text}`,
          async () => (await line())?.trimEnd() === `> ${expected}`,
        )
        await server.run(['send-keys', 'C-u'], socket)
      }
      await type('agent-chat sen', 'agent-chat send')
      await type('agent-chat send @ba', 'agent-chat send @backend')
      await type('agent-chat send --from=@f', 'agent-chat send --from=@frontend')
      await type('agent-chat send @backend --qui', 'agent-chat send @backend --quiet')
      await type('agent-chat fron', 'agent-chat frontend')
      await type(`agent-chat show ${shortId(id).slice(0, 2)}`, `agent-chat show ${shortId(id)}`)
      await type('agent-chat show $(touch made) --js', 'agent-chat show $(touch made) --json')
      await type('agent-chat send --file a', 'agent-chat send --file a\\ b.md')
      await type('agent-chat send --file=a', 'agent-chat send --file=a\\ b.md')
      expect(existsSync(join(place, 'made'))).toBe(false)
    },
  )
})
