import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../testing/cli.ts'
import { tempDirectory } from '../testing/home.ts'
import { hasCompletion, installCompletion, ownShell, SHELLS, type Shell } from './completion.ts'

const DEFAULTS: Record<Shell, string> = {
  bash: '.local/share/bash-completion/completions/agent-chat',
  zsh: '.local/share/zsh/site-functions/_agent-chat',
  fish: '.config/fish/completions/agent-chat.fish',
}

describe.each(SHELLS)('%s', (shell) => {
  test('a file where the shell looks, which asks the program; again changes nothing', () => {
    const home = tempDirectory()
    const path = join(home, DEFAULTS[shell])
    expect(hasCompletion(shell, {}, home)).toBe(false)
    const made = installCompletion(shell, {}, home)
    expect(made.detail).toBe(`made ${path}, for ${shell}`)
    // With a line that is still to be added, Tab completes nothing yet.
    expect(made.status).toBe(made.hint === undefined ? 'ok' : 'warning')
    expect(readFileSync(path, 'utf8')).toContain(`agent-chat completion ${shell}`)
    expect(readdirSync(dirname(path))).toHaveLength(1)
    expect(hasCompletion(shell, {}, home)).toBe(true)
    const before = statSync(path)
    expect(installCompletion(shell, {}, home)).toMatchObject({
      status: made.status,
      detail: `${path} is there, for ${shell}`,
    })
    expect(statSync(path).mtimeMs).toBe(before.mtimeMs)
  })

  test('one of an older version is renewed; what is not ours stays', () => {
    const home = tempDirectory()
    const path = join(home, DEFAULTS[shell])
    installCompletion(shell, {}, home)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, `${text}# as it once was\n`)
    expect(installCompletion(shell, {}, home).detail).toBe(`made ${path}, for ${shell}`)
    expect(readFileSync(path, 'utf8')).toBe(text)
    writeFileSync(path, '# mine\n')
    expect(installCompletion(shell, {}, home)).toMatchObject({
      status: 'warning',
      hint: expect.any(String),
    })
    expect(readFileSync(path, 'utf8')).toBe('# mine\n')
  })

  test('a link in its place stays, and so does what it leads to', () => {
    const home = tempDirectory()
    const path = join(home, DEFAULTS[shell])
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(home, 'elsewhere'), path)
    expect(installCompletion(shell, {}, home).status).toBe('warning')
    expect([lstatSync(path).isSymbolicLink(), readdirSync(home).includes('elsewhere')]).toEqual([
      true,
      false,
    ])
  })
})

test('that zsh does not look at yet is no success', () => {
  expect(installCompletion('zsh', {}, tempDirectory())).toMatchObject({
    status: 'warning',
    hint: expect.stringContaining('add this line'),
  })
})

test.each<[Shell, NodeJS.ProcessEnv, string]>([
  ['bash', { XDG_DATA_HOME: '/data' }, '/data/bash-completion/completions/agent-chat'],
  [
    'bash',
    { XDG_DATA_HOME: '/data', BASH_COMPLETION_USER_DIR: '/own:/two' },
    '/own/completions/agent-chat',
  ],
  ['zsh', { XDG_DATA_HOME: '/data' }, '/data/zsh/site-functions/_agent-chat'],
  ['fish', { XDG_CONFIG_HOME: '/config' }, '/config/fish/completions/agent-chat.fish'],
  ['fish', { XDG_CONFIG_HOME: 'relative' }, `/.config/fish/completions/agent-chat.fish`],
])('%s with %j looks at %s', (shell, env, path) => {
  const root = tempDirectory()
  const below = Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key, value?.replaceAll(/(^|:)\//g, `$1${root}/`)]),
  )
  expect(installCompletion(shell, below, root).detail).toBe(`made ${root}${path}, for ${shell}`)
})

test('zsh is told the line that it needs until its start file has the directory; no file of a start is written', () => {
  const home = tempDirectory()
  const { hint } = installCompletion('zsh', {}, home)
  const line = `fpath=("${home}/.local/share/zsh/site-functions" $fpath); autoload -Uz compinit && compinit`
  expect(hint).toBe(`to make zsh look there, add this line to ${home}/.zshrc: ${line}`)
  expect(readdirSync(home)).toEqual(['.local'])
  writeFileSync(join(home, '.zshrc'), `${line}\n`)
  expect(installCompletion('zsh', {}, home).hint).toBeUndefined()
})

test.each([
  ['/bin/bash', 'bash'],
  ['/usr/local/bin/fish', 'fish'],
  ['/bin/dash', undefined],
  [undefined, undefined],
])('$SHELL %s is %s', (path, shell) =>
  expect(ownShell(path === undefined ? {} : { SHELL: path })).toBe(shell),
)

describe('setup', () => {
  const setup = (place: string, shell: string, ...args: string[]) => {
    const env = { HOME: place, AGENT_CHAT_HOME: join(place, 'home'), SHELL: shell }
    return runCli(['setup', '--no-ring', '--json', ...args], { home: join(place, 'home'), env })
  }
  const completion = (stdout: string) =>
    JSON.parse(stdout).steps.find(({ name }: { name: string }) => name === 'completion')

  test('--completion is for the own shell, or the one that is named', async () => {
    const place = tempDirectory()
    expect(completion((await setup(place, '/bin/fish', '--completion')).stdout).detail).toContain(
      DEFAULTS.fish,
    )
    expect(
      completion((await setup(place, '/bin/fish', '--completion', 'zsh')).stdout).detail,
    ).toContain(DEFAULTS.zsh)
  })

  test('nobody asked, and nobody to ask: none', async () => {
    const place = tempDirectory()
    expect(completion((await setup(place, '/bin/bash')).stdout)).toBeUndefined()
    expect(hasCompletion('bash', {}, place)).toBe(false)
  })

  test.each([
    ['/bin/dash', '--completion'],
    ['/bin/bash', '--completion', 'tcsh'],
  ])('in %s, %s %s is bad usage, before anything is done', async (shell, ...args) => {
    const place = tempDirectory()
    expect(await setup(place, shell, ...args.filter(Boolean))).toMatchObject({
      code: 2,
      stdout: '',
    })
    expect(readdirSync(place)).toEqual([])
  })
})
