import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type RunOptions, runCli } from '../../testing/cli.ts'
import { filesIn, tempBus, tempDirectory } from '../../testing/home.ts'

const IDENTITY = [
  '-c',
  'user.name=t',
  '-c',
  'user.email=t@example.invalid',
  '-c',
  'commit.gpgsign=false',
]

function world() {
  const bus = tempBus(['backend', 'frontend', 'docs'])
  const directory = join(tempDirectory(), 'api')
  mkdirSync(directory)
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', directory, ...IDENTITY, ...args], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const commit = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    git('add', '-A')
    git('commit', '-q', '-m', `change ${name} to ${text}`)
  }
  const run = (args: string[], options: Partial<RunOptions> = {}) =>
    runCli(args, {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME: 'backend' },
      cwd: directory,
      ...options,
    })
  const send = async (to: string, env: Record<string, string> = {}) => {
    const sent = await run(['send', to, 'body', '--with-diffstat', '--json'], {
      env: { AGENT_CHAT_NAME: 'backend', ...env },
    })
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(sent.stdout)
  }
  return { bus, directory, git, commit, run, send }
}

describe('send --with-diffstat', () => {
  test('tells of the last ten commits first, then of those since the last handover to that session', async () => {
    const { git, commit, send, directory } = world()
    git('init', '-q', '-b', 'main')
    for (let at = 0; at < 12; at += 1) commit('a.txt', `version ${at}`)
    const first = await send('@frontend')
    expect(first).toMatchObject({ kind: 'handover', git_head: git('rev-parse', 'HEAD') })
    expect(first.body).toMatch(
      /^body\n\n\*\*Changed in the last commits\*\*, api at [0-9a-f]{10}:\n```\n/,
    )
    expect(first.body.match(/change a\.txt/g)).toHaveLength(10)
    expect(first.body).not.toContain('version 1\n')
    commit('b.txt', 'new')
    writeFileSync(join(directory, 'a.txt'), 'not committed')
    writeFileSync(join(directory, 'c.txt'), 'not added')
    const second = await send('@frontend')
    expect(second.body).toMatch(/^body\n\n\*\*Changed since the last handover \(\d{4}-[^)]*Z\)\*\*/)
    expect(second.body.match(/change \w/g)).toHaveLength(1)
    expect(second.body).toMatch(/ a\.txt \| .*\n b\.txt \| .*\n 2 files changed/)
    expect(second.body).toContain(
      '\nnot committed: 2 paths, 1 of them new and not in the figures\n```',
    )
    git('commit', '-q', '-am', 'last')
    expect((await send('@frontend')).body).toMatch(/```\n[0-9a-f]+ last\n a\.txt \|/)
    expect((await send('@docs')).body.match(/change a\.txt/g)).toHaveLength(8)
  })

  test('says that nothing has changed, and goes by the time of a handover that names no commit', async () => {
    const { git, commit, run, send } = world()
    git('init', '-q', '-b', 'main')
    commit('a.txt', 'one')
    expect((await run(['send', '@frontend', '--kind', 'handover', 'plain words'])).code).toBe(0)
    expect((await send('@frontend')).body).toMatch(
      /since the last handover .*:\n```\nnothing\n```$/,
    )
  })

  test('of a young repository tells of all of it, and a handover of another repository does not count', async () => {
    const { git, commit, bus, send } = world()
    git('init', '-q', '-b', 'main')
    commit('a.txt', 'one')
    const other = world()
    other.git('init', '-q', '-b', 'main')
    other.commit('elsewhere.txt', 'x')
    const head = other.git('rev-parse', 'HEAD')
    const sent = await other.run(['send', '@frontend', 'body', '--with-diffstat'], {
      home: bus.home.root,
    })
    expect(sent.code).toBe(0)
    const { body, git_head } = await send('@frontend')
    expect(git_head).not.toBe(head)
    expect(body).toContain('change a.txt to one\n a.txt | 1 +\n')
  })

  test('in no repository, or in one without a commit, is bad input, and nothing is sent', async () => {
    const { bus, run, git } = world()
    const plain = await run(['send', '@frontend', 'x', '--with-diffstat'])
    expect(plain).toMatchObject({ code: 2, stdout: '' })
    expect(plain.stderr).toContain('no git repository')
    git('init', '-q')
    const young = await run(['send', '@frontend', 'x', '--with-diffstat'])
    expect(young).toMatchObject({ code: 2, stdout: '' })
    expect(young.stderr).toContain('no commit yet')
    const without = await run(['send', '@frontend', 'x', '--with-diffstat'], {
      env: { AGENT_CHAT_NAME: 'backend', PATH: '/nowhere' },
    })
    expect(without).toMatchObject({ code: 7, stdout: '' })
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test('a git that does not end is not waited for', async () => {
    const { directory, run } = world()
    const program = join(directory, 'git')
    writeFileSync(program, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
    const env = { AGENT_CHAT_NAME: 'backend', PATH: `${directory}:${process.env.PATH}` }
    const sent = await run(['send', '@frontend', 'x', '--with-diffstat'], { env })
    expect(sent).toMatchObject({ code: 5, stdout: '' })
  })

  test('runs nothing that the repository names', async () => {
    const { directory, git, commit, run, send } = world()
    git('init', '-q', '-b', 'main')
    commit('a.txt', 'one')
    commit('.gitattributes', '*.txt filter=a=b diff=c\nb.txt filter=d')
    const ran = (name: string) => join(directory, '..', `by-${name}`)
    const evil = (name: string, last = 'false') => `touch '${ran(name)}'; ${last}`
    const config: Record<string, string> = {
      'core.fsmonitor': evil('fsmonitor'),
      'diff.external': evil('diff'),
      'diff.c.textconv': evil('textconv'),
      'filter.a=b.clean': evil('clean', 'cat'),
      'filter.a=b.required': 'true',
      'filter.d.process': evil('process'),
      'filter.d.required': 'true',
      'log.showSignature': 'true',
      'gpg.program': evil('gpg'),
    }
    const hook = join(directory, '.git', 'hooks', 'post-index-change')
    writeFileSync(hook, `#!/bin/sh\n${evil('hook')}\n`, { mode: 0o755 })
    for (const [key, value] of Object.entries(config)) git('config', key, value)
    writeFileSync(join(directory, 'a.txt'), 'two')
    writeFileSync(join(directory, 'b.txt'), 'new')
    const { body } = await send('@frontend')
    expect(body).toMatch(/ a\.txt +\| 1 \+/)
    expect(body).toContain('not committed: 2 paths, 1 of them new')
    git('config', 'extensions.partialClone', 'other')
    git('config', 'remote.other.url', directory)
    git('config', 'remote.other.uploadpack', evil('fetch'))
    writeFileSync(join(directory, '.git', 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`)
    expect((await run(['send', '@frontend', 'x', '--with-diffstat'])).stderr).toContain(
      'no commit yet',
    )
    expect(await run(['send', '@frontend', 'x', '--handover'])).toMatchObject({ code: 0 })
    expect(filesIn(join(directory, '..')).filter((name) => name.startsWith('by-'))).toEqual([])
  })

  test('runs the filters of the user’s own, without which what they filter would look changed', async () => {
    const { directory, git, commit, send } = world()
    git('init', '-q', '-b', 'main')
    commit('.gitattributes', 'a.txt filter=upper')
    commit('a.txt', 'ONE')
    writeFileSync(join(directory, 'a.txt'), 'one')
    const own = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'filter.upper.clean',
      GIT_CONFIG_VALUE_0: 'tr a-z A-Z',
    }
    const { body } = await send('@frontend')
    expect(body).toContain('not committed: 1 path')
    git('config', 'filter.other.clean', 'cat')
    const again = await send('@docs', own)
    expect(again.body).not.toContain('not committed')
  })

  test('of a repository that a directory of plain files makes tells nothing, and runs nothing', async () => {
    const { directory, git, run } = world()
    git('init', '-q', '--bare', '.')
    git('config', 'core.bare', 'false')
    git('config', 'core.worktree', '..')
    git('commit', '-q', '--allow-empty', '-m', 'x')
    git('config', 'core.fsmonitor', `touch '${directory}/by-git'; false`)
    const sent = await run(['send', '@frontend', 'x', '--with-diffstat'])
    expect(sent).toMatchObject({ code: 2, stdout: '' })
    expect(sent.stderr).toContain('no git repository')
    expect(filesIn(directory)).not.toContain('by-git')
  })

  test.each([['--question'], ['--kind', 'note']])('with %s is bad usage', async (...more) => {
    const { run } = world()
    expect((await run(['send', '@frontend', 'x', '--with-diffstat', ...more])).code).toBe(2)
    expect((await run(['send', '@frontend', 'x', '--handover', ...more])).code).toBe(2)
  })
})

describe('send --handover', () => {
  test('says which parts are missing or empty, and sends', async () => {
    const { run } = world()
    const sent = await run(['send', '@frontend', '--handover'], {
      input: '**What changed:**\n- paging\n\n**Files affected:**\n',
    })
    expect(sent.stdout).toMatch(/^sent /)
    expect(sent.stderr).toBe(
      'agent-chat: the handover has no "What you need to do", "Breaking changes" and has nothing under "Files affected"\n',
    )
    const shown = await run(['inbox', '--json'], { env: { AGENT_CHAT_NAME: 'frontend' } })
    expect(JSON.parse(shown.stdout).messages[0]).toMatchObject({
      kind: 'handover',
      body: '**What changed:**\n- paging\n\n**Files affected:**\n',
    })
  })

  test('names the commit that it was written at, where there is one', async () => {
    const { run, git, commit } = world()
    git('init', '-q')
    commit('a.txt', 'one')
    const sent = await run(['send', '@frontend', '--handover', '--json', 'words'])
    expect(JSON.parse(sent.stdout)).toMatchObject({
      body: 'words',
      git_head: git('rev-parse', 'HEAD'),
    })
  })

  test('of nothing is bad input', async () => {
    const { run, bus } = world()
    expect(await run(['send', '@frontend', '--handover'], { input: '' })).toMatchObject({
      code: 2,
      stdout: '',
    })
    expect(filesIn(bus.home.messages)).toEqual([])
  })
})
