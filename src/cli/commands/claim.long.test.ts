import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempDirectory } from '../../testing/home.ts'
import { runAsHuman } from '../../testing/human.ts'
import { repository } from '../../testing/repository.ts'
import { until } from '../../testing/until.ts'

type Claims = { repositories: { claims: { pattern: string; name: string }[] }[] }

async function world() {
  const here = await repository()
  const { bus, backend, main } = here
  const claims = async () => {
    const { stdout } = await backend.chatIn(main, 'claim', '--json')
    const { repositories } = JSON.parse(stdout) as Claims
    return repositories.flatMap((one) =>
      one.claims.map(({ pattern, name }) => `${name} ${pattern}`),
    )
  }
  const asPerson = (...args: string[]) => runAsHuman(args, { home: bus.home.root, cwd: main })
  return { ...here, claims, asPerson }
}

describe('claim', () => {
  test('keeps others from writing there until it is released, in every tree', async () => {
    const { backend, frontend, bus, claims } = await world()
    const claimed = await backend.chatIn(
      join(backend.tree, 'src'),
      'claim',
      '*.ts',
      '--why',
      'new pages',
    )
    expect(claimed).toMatchObject({ code: 0, stderr: '' })
    expect(claimed.stdout).toMatch(/^claimed src\/\*\.ts until \d{4}-\d\d-\d\d \d\d:\d\d\n$/)
    expect(await claims()).toEqual(['backend src/*.ts'])
    for (let time = 0; time < 2; time += 1) {
      const reason = await frontend.edit('line 1\n', 'x\n')
      expect(reason).toMatch(
        /^agent-chat: @backend has claimed src\/\*\.ts for another 1(19|20) min: new pages\. src\/a\.ts was not changed\./,
      )
      expect(reason).toContain('agent-chat ask @backend "')
    }
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ rule: 'claims' }, { rule: 'claims' }])
    expect(await backend.edit('line 1\n', 'mine\n')).toBe('pass')
    expect((await backend.chat('who')).stdout).toContain('@backend has claimed src/*.ts')
    expect(await backend.chatIn(backend.tree, 'claim', '--release')).toMatchObject({
      code: 0,
      stdout: 'released src/*.ts\n',
    })
    expect(await frontend.edit('line 20\n', 'x\n')).toBe('pass')
    expect(await claims()).toEqual([])
  })

  test.each([
    'git checkout -- src/a.ts',
    'git checkout -- .',
    'git reset --hard',
    'rm -r src',
    'cd src && rm a.ts',
    'git checkout other',
    'rm src/*',
    'rm -r s*',
    'rm "$FILE"',
    'find . -name x -delete',
  ])('a command that we can read: %s', async (command) => {
    const { backend, frontend } = await world()
    await backend.chatIn(backend.tree, 'claim', 'src/**')
    expect(await frontend.ask('Bash', { command })).toMatchObject({
      said: 'deny',
      reason: expect.stringContaining('@backend has claimed src/**'),
    })
    expect((await frontend.ask('Bash', { command: 'git status' })).said).toBe('pass')
    for (const harmless of ['rm README', 'rm *.log', 'find docs -name x -delete'])
      expect([harmless, (await frontend.ask('Bash', { command: harmless })).said]).toEqual([
        harmless,
        'pass',
      ])
  })

  test.each<
    [
      end: string,
      args: string[],
      act: (one: {
        end(): Promise<void>
        chat(...args: string[]): Promise<unknown>
      }) => Promise<unknown>,
    ]
  >([
    ['its session’s process', [], (backend) => backend.end()],
    ['its session’s leave', [], (backend) => backend.chat('leave')],
    ['its time', ['--for', '1s'], async () => {}],
  ])('ends with %s', async (_, args, act) => {
    const { backend, frontend, claims } = await world()
    await backend.chatIn(backend.tree, 'claim', 'src/**', ...args)
    await act(backend)
    await until('its end', async () => (await claims()).length === 0)
    expect(await frontend.edit('line 1\n', 'x\n')).toBe('pass')
  })

  test('one has it: who comes second is told who, and only you take it', async () => {
    const { backend, frontend, claims, asPerson, main } = await world()
    await backend.chatIn(backend.tree, 'claim', 'src/**')
    for (const pattern of ['src/**', 'src/a.ts', '**', 'src/*.ts'])
      expect(await frontend.chatIn(frontend.tree, 'claim', pattern)).toMatchObject({
        code: 8,
        stdout: '',
        stderr: expect.stringContaining('@backend has claimed src/**, until '),
      })
    expect(await frontend.chatIn(frontend.tree, 'claim', 'docs/**')).toMatchObject({ code: 0 })
    expect(await frontend.chatIn(frontend.tree, 'claim', '--take', 'src/**')).toMatchObject({
      code: 3,
    })
    expect(await frontend.chatIn(frontend.tree, 'claim', '--release', 'src/**')).toMatchObject({
      code: 4,
    })
    expect(await claims()).toEqual(['backend src/**', 'frontend docs/**'])
    expect(await asPerson('claim', '--take', 'src/**')).toMatchObject({ code: 0 })
    expect(await claims()).toEqual(['frontend docs/**', 'human src/**'])
    expect(await backend.edit('line 1\n', 'x\n')).toMatch(/@human has claimed src/)
    expect(await asPerson('claim', '--release', 'docs/**')).toMatchObject({ code: 0 })
    expect(await claims()).toEqual(['human src/**'])
    expect(main).not.toBe('')
  })

  test.each([
    [['']],
    [['/']],
    [['/etc/passwd']],
    [['..']],
    [['src/../../x']],
    [['a\u001b[2J']],
    [['x'.repeat(300)]],
    [['*a*b*c*d*e*f*g*h*i']],
    [['src', '--for', '0s']],
    [['src', '--for', '25h']],
    [['src', '--for', 'soon']],
    [['src', '--take', '--release']],
    [['--take']],
  ])('is refused: %j', async (args) => {
    const { backend, claims } = await world()
    const run = await backend.chatIn(backend.tree, 'claim', ...args)
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/\n {2}hint: /),
    })
    expect(run.stderr).not.toContain('\u001b')
    expect(await claims()).toEqual([])
  })

  test('outside of a repository, and from nobody', async () => {
    const { backend, bus, main } = await world()
    expect(await backend.chatIn(tempDirectory(), 'claim', 'a')).toMatchObject({ code: 2 })
    expect(await runCli(['claim', 'a'], { home: bus.home.root, cwd: main })).toMatchObject({
      code: 6,
    })
  })

  test('of many at once, one has it', async () => {
    const { backend, frontend, claims } = await world()
    for (let round = 0; round < 3; round += 1) {
      const runs = await Promise.all(
        Array.from({ length: 8 }, (_, at) => {
          const one = at % 2 === 0 ? backend : frontend
          return one.chatIn(one.tree, 'claim', 'src/**')
        }),
      )
      expect(runs.every(({ code }) => code === 0 || code === 8)).toBe(true)
      const [claim = ''] = await claims()
      const [winner] = claim.split(' ')
      expect(await claims()).toHaveLength(1)
      runs.forEach(({ code }, at) => {
        expect(code).toBe((at % 2 === 0 ? 'backend' : 'frontend') === winner ? 0 : 8)
      })
      const owner = winner === 'backend' ? backend : frontend
      await owner.chatIn(owner.tree, 'claim', '--release')
    }
  })

  test('where none is left, there is no file for hooks to read, and none for another repository', async () => {
    const { backend, frontend, bus, main, claims } = await world()
    const files = () => filesIn(bus.home.claims)
    await backend.chatIn(main, 'claim', 'src/**')
    expect(files()).toHaveLength(1)
    await backend.chatIn(main, 'claim', '--release')
    expect(files()).toEqual([])
    for (const end of [
      ['--for', '1s'],
      ['--for', '2h'],
    ]) {
      await backend.chatIn(main, 'claim', 'src/**', ...end)
      if (end[1] === '2h') await backend.end()
      await until('its end', async () => (await claims()).length === 0)
      expect(await frontend.edit('line 1\n', 'line 1!\n')).toBe('pass')
      expect(files()).toEqual([])
      await frontend.edit('line 1!\n', 'line 1\n')
    }
  })

  test('a file of claims that is none claims nothing, and is replaced', async () => {
    const { backend, frontend, bus, claims } = await world()
    await backend.chatIn(backend.tree, 'claim', 'src/**')
    const [file = ''] = readdirSync(bus.home.claims)
    for (const text of ['', 'null', '{"common":1}', '{"common":"x","claims":[{"pattern":1}]}']) {
      writeFileSync(join(bus.home.claims, file), text)
      expect(await claims()).toEqual([])
      expect(
        (await frontend.ask('Write', { file_path: join(frontend.tree, 'src/b.ts'), content: 'x' }))
          .said,
      ).toBe('pass')
    }
    mkdirSync(join(bus.home.claims, 'folder.json'))
    expect(await backend.chatIn(backend.tree, 'claim', 'src/**')).toMatchObject({ code: 0 })
    expect(await claims()).toEqual(['backend src/**'])
  })
})
