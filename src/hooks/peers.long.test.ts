import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsOf, filesIn, tempDirectory } from '../testing/home.ts'
import { repository, TEXT } from '../testing/repository.ts'

describe('in two trees', () => {
  test('an edit beside a change of a peer is refused once, with the diff', async () => {
    const { backend, frontend, bus } = await repository()
    expect(await backend.edit('line 10\n', 'line ten\n')).toBe('pass')
    const reason = await frontend.edit('line 11\n', 'line eleven\n')
    expect(reason).toMatch(
      /^agent-chat: @backend changed src\/a\.ts where you are about to, \d+s ago, in /,
    )
    expect(reason).toContain('-line 10\n+line ten\n')
    expect(reason).toContain('agent-chat ask @backend "')
    expect(readFileSync(frontend.file, 'utf8')).toBe(TEXT)
    expect(eventsOf(bus.home, 'refused')).toMatchObject([
      { name: 'frontend', tool: 'Edit', rule: 'changes that meet' },
    ])
    expect(await frontend.edit('line 11\n', 'line eleven\n')).toBe('pass')
    expect(await frontend.edit('line 11\n', 'line 11!\n')).toBe('pass')
  })

  test.each([
    ['the same line', 'line 10', 'deny'],
    ['the next line', 'line 11', 'deny'],
    ['with one line between', 'line 12', 'deny'],
    ['with two lines between', 'line 13', 'pass'],
    ['with two lines between, above', 'line 7', 'pass'],
    ['far away', 'line 18', 'pass'],
  ])('%s', async (_, line, said) => {
    const { backend, frontend } = await repository()
    await backend.edit('line 10\n', 'line ten\n')
    expect(
      (
        await frontend.ask('Edit', {
          file_path: frontend.file,
          old_string: `${line}\n`,
          new_string: 'x\n',
        })
      ).said,
    ).toBe(said)
  })

  test('in a turn of a message, before any question to you', async () => {
    const { backend, frontend } = await repository()
    await backend.edit('line 10\n', 'line ten\n')
    await frontend.rung()
    const input = { file_path: frontend.file, old_string: 'line 10\n', new_string: 'x\n' }
    const more = { cwd: frontend.tree, prompt_id: 'frontend-2' }
    expect(await frontend.may('Edit', input, more)).toBe('deny')
    expect(await frontend.may('Edit', input, more)).toBe('ask')
  })

  test.each(['Write', 'MultiEdit', 'apply_patch', 'link'])('by %s', async (tool) => {
    const { backend, frontend } = await repository()
    await backend.edit('line 10\n', 'line ten\n')
    symlinkSync(frontend.file, join(frontend.tree, 'link'))
    const inputs: Record<string, Record<string, unknown>> = {
      Write: { file_path: frontend.file, content: TEXT.replace('line 10', 'x') },
      MultiEdit: {
        file_path: frontend.file,
        edits: [
          { old_string: 'line 3\n', new_string: 'y\n' },
          { old_string: 'line 10\n', new_string: '' },
        ],
      },
      apply_patch: {
        command:
          '*** Begin Patch\n*** Update File: src/a.ts\n@@\n line 9\n-line 10\n+x\n line 11\n*** End Patch',
      },
      link: { file_path: join(frontend.tree, 'link'), old_string: 'line 10\n', new_string: 'x\n' },
    }
    const name = tool === 'link' ? 'Edit' : tool
    expect((await frontend.ask(name, inputs[tool] ?? {})).said).toBe('deny')
  })

  test.each([
    ['with spaces', 'a b/c d.ts', '\n'],
    ['beyond ASCII', 'größe/文.ts', '\n'],
    ['that looks like a pattern', 'src/[id]/*.ts', '\n'],
    ['with a quote and a line break', 'it\'s "a"\nb', '\n'],
    ['with line ends of Windows', 'dos.txt', '\r\n'],
  ])('a file %s', async (_, file, end) => {
    const { backend, frontend } = await repository()
    const text = TEXT.replaceAll('\n', end)
    const input = (tree: string, line: string) => ({
      ...{ file_path: join(tree, file), old_string: line, new_string: `${line}!` },
    })
    for (const { tree } of [backend, frontend]) {
      mkdirSync(dirname(join(tree, file)), { recursive: true })
      writeFileSync(join(tree, file), text)
    }
    expect((await backend.ask('Edit', input(backend.tree, 'line 11'))).said).toBe('pass')
    writeFileSync(join(backend.tree, file), text.replace('line 11', 'line 11!'))
    expect((await frontend.ask('Edit', input(frontend.tree, 'line 18'))).said).toBe('pass')
    const { said, reason } = await frontend.ask('Edit', input(frontend.tree, 'line 12'))
    expect([said, reason]).toEqual(['deny', expect.stringContaining('-line 11\n+line 11!\n')])
  })

  test('a submodule, of which each tree has a repository of its own', async () => {
    const { backend, frontend, git, main, other } = await repository()
    const lib = tempDirectory()
    git(lib, 'init', '-q')
    writeFileSync(join(lib, 'a.ts'), TEXT)
    git(lib, 'add', '-A')
    git(lib, 'commit', '-qm', 'lib')
    git(main, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib, 'lib')
    git(main, 'commit', '-qam', 'with lib')
    git(other, 'merge', '-q', 'main')
    git(other, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init')
    const file = (tree: string) => join(tree, 'lib/a.ts')
    expect(await backend.edit('line 10\n', 'line ten\n', file(main))).toBe('pass')
    expect(await frontend.edit('line 18\n', 'x\n', file(other))).toBe('pass')
    expect(await frontend.edit('line 11\n', 'x\n', file(other))).toContain('+line ten')
  })

  test('a notebook, by its cells', async () => {
    const { backend, frontend } = await repository()
    const book = (source: string) =>
      JSON.stringify({
        cells: [
          { id: 'a', cell_type: 'code', source: ['1\n', '2'] },
          { id: 'b', cell_type: 'code', source },
        ],
        nbformat: 4,
      })
    for (const { tree } of [backend, frontend]) writeFileSync(join(tree, 'n.ipynb'), book('3'))
    const input = (tree: string, cell_id: string) => ({
      notebook_path: join(tree, 'n.ipynb'),
      cell_id,
      new_source: '9',
    })
    expect((await backend.ask('NotebookEdit', input(backend.tree, 'b'))).said).toBe('pass')
    writeFileSync(join(backend.tree, 'n.ipynb'), book('9'))
    expect((await frontend.ask('NotebookEdit', input(frontend.tree, 'b'))).said).toBe('deny')
  })

  test('a file that both make', async () => {
    const { backend, frontend } = await repository()
    const write = (agent: typeof backend) =>
      agent.ask('Write', { file_path: join(agent.tree, 'new/b.ts'), content: agent.name })
    expect((await write(backend)).said).toBe('pass')
    expect((await write(frontend)).said).toBe('deny')
  })

  test('a change that the tree has by its commit stands against nothing, nor what is made of it', async () => {
    const { backend, frontend, git, main, other } = await repository()
    await backend.edit('line 10\n', 'line ten\n')
    git(main, 'commit', '-qam', 'ten')
    git(other, 'merge', '-q', 'main')
    expect(await frontend.edit('line ten\n', 'line X\n')).toBe('pass')
    expect(await frontend.edit('line X\n', 'line Y\n')).toBe('pass')
  })

  test('a write that failed, or that was undone, is no change', async () => {
    const { backend, frontend, git, main } = await repository()
    const input = { file_path: backend.file, old_string: 'line 10\n', new_string: 'x\n' }
    const { payload } = await backend.ask('Edit', input)
    await backend.hook('post-tool-use', { ...payload, hook_event_name: 'PostToolUseFailure' })
    expect(await frontend.edit('line 10\n', 'line ten\n')).toBe('pass')
    await backend.edit('line 3\n', 'line three\n')
    await backend.edit('line 5\n', 'line five\n')
    git(main, 'checkout', '-q', '--', '.')
    writeFileSync(backend.file, `${TEXT}more\n`)
    expect(await frontend.edit('line 4\n', 'line four\n')).toBe('pass')
  })

  test('of two that write at once, each is told', async () => {
    const { backend, frontend } = await repository()
    const input = (agent: typeof backend) => ({
      file_path: agent.file,
      old_string: 'line 10\n',
      new_string: `${agent.name}\n`,
    })
    const said = await Promise.all(
      [backend, frontend].map(async (one) => (await one.ask('Edit', input(one))).said),
    )
    expect(said).toContain('deny')
  })

  test('it ends with its session', async () => {
    const { backend, frontend } = await repository()
    await backend.edit('line 10\n', 'line ten\n')
    await backend.end()
    expect(await frontend.edit('line 10\n', 'x\n')).toBe('pass')
  })

  test('what a peer wrote cannot do anything to the terminal', async () => {
    const { backend, frontend } = await repository()
    await backend.edit('line 10\n', 'line \u001b[2J\u202e ten\n')
    expect(await frontend.edit('line 10\n', 'x\n')).toContain('+line ^[[2J<U+202E> ten')
  })

  test('no more of the diff than 1 KB', async () => {
    const { backend, frontend } = await repository()
    await backend.edit(
      'line 10\n',
      Array.from({ length: 400 }, (_, at) => `a long line with its number ${at}\n`).join(''),
    )
    const reason = await frontend.edit('line 10\n', 'x\n')
    const diff = /^@@[\s\S]*more lines$/m.exec(reason)?.[0] ?? ''
    expect(Buffer.byteLength(diff)).toBeGreaterThan(800)
    expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(1024)
  })
})

describe('in one tree', () => {
  test('what a peer has changed since the file was last read', async () => {
    const { backend, frontend } = await repository(true)
    await backend.edit('line 3\n', 'line three\n')
    expect(await frontend.edit('line 18\n', 'x\n')).toBe('pass')
    expect(await frontend.edit('line 4\n', 'line four\n')).toContain(
      'in this tree, since you last read the file',
    )
  })

  test('what it has read stands against nothing', async () => {
    const { backend, frontend } = await repository(true)
    await backend.edit('line 3\n', 'line three\n')
    await frontend.did('Read', { file_path: frontend.file }, { cwd: frontend.tree })
    expect(await frontend.edit('line 4\n', 'line four\n')).toBe('pass')
    await backend.did('Read', { file_path: backend.file }, { cwd: backend.tree })
    await backend.edit('line 5\n', 'line five\n')
    expect(await frontend.edit('line four\n', 'line 4\n')).toMatch(/-line 5\n\+line five/)
  })
})

describe('a command that takes changes away', () => {
  test('is refused once, with the files and who changed them', async () => {
    const { backend, frontend, bus } = await repository(true)
    await backend.edit('line 3\n', 'line three\n')
    const run = (command: string) => frontend.ask('Bash', { command })
    expect((await run('git checkout -- .')).reason).toMatch(
      /^agent-chat: `git checkout -- \.` takes away what other sessions changed in .*\n {2}src\/a\.ts \(@backend, \ds ago\)\n/,
    )
    expect(eventsOf(bus.home, 'refused')).toMatchObject([{ name: 'frontend', tool: 'Bash' }])
    expect((await run('git checkout -- .')).said).toBe('pass')
    expect((await run('git status')).said).toBe('pass')
  })

  test.each([
    ['git reset --hard', 'deny'],
    ['git stash', 'deny'],
    ['git switch main', 'deny'],
    ['git restore src', 'deny'],
    ['rm -r src', 'deny'],
    ['cd src && git checkout -- a.ts', 'deny'],
    ['git restore --source HEAD -- src/a.ts', 'deny'],
    ['git stash push -- src/a.ts', 'deny'],
    ['git checkout HEAD -- .', 'deny'],
    ['git switch -f main', 'deny'],
    ['find src -name a.ts -delete', 'deny'],
    ['git diff | git apply -R', 'deny'],
    ['git pull --rebase --autostash', 'deny'],
    ['git reset --hard > log 2>&1 &', 'deny'],
    ['git checkout -b new', 'pass'],
    ['git clean -n', 'pass'],
    ['git stash push -- README.md', 'pass'],
    ['git commit -m "git reset --hard"', 'pass'],
    ['git restore README.md', 'pass'],
    ['rm -r docs', 'pass'],
    ['git clean -fd', 'pass'],
    ['git stash list', 'pass'],
  ])('%s', async (command, said) => {
    const { backend, frontend } = await repository(true)
    await backend.edit('line 3\n', 'line three\n')
    expect((await frontend.ask('Bash', { command })).said).toBe(said)
  })

  test('in the tree alone where they are', async () => {
    const { backend, frontend, other } = await repository()
    await frontend.edit('line 3\n', 'line three\n')
    expect((await backend.ask('Bash', { command: 'git reset --hard' })).said).toBe('pass')
    for (const command of ['rm "$FILE"', 'git checkout "$BRANCH"', 'rm -rf src/*'])
      expect((await backend.ask('Bash', { command })).said).toBe('pass')
    for (const tree of [other, 'other'])
      expect(
        (await backend.ask('Bash', { command: `git worktree remove --force ${tree}` })).said,
      ).toBe('deny')
  })

  test('what was undone, or is the session’s own, is no matter', async () => {
    const { backend, frontend, git, main } = await repository(true)
    await backend.edit('line 3\n', 'line three\n')
    git(main, 'checkout', '-q', '--', '.')
    expect((await frontend.ask('Bash', { command: 'git stash' })).said).toBe('pass')
    await frontend.edit('line 3\n', 'line III\n')
    expect((await frontend.ask('Bash', { command: 'git reset --hard' })).said).toBe('pass')
  })
})

test.each([
  [
    'alone in the repository',
    async (world: Awaited<ReturnType<typeof repository>>) =>
      world.move('frontend', tempDirectory()),
  ],
  [
    'with nobody else alive',
    async ({ frontend }: Awaited<ReturnType<typeof repository>>) => frontend.end(),
  ],
])('no note is written %s', async (_, prepare) => {
  const world = await repository()
  await prepare(world)
  await world.backend.edit('line 10\n', 'line ten\n')
  expect(filesIn(world.bus.home.root).includes('changes')).toBe(false)
})

test('AGENT_CHAT_CLAIMS=off turns it off, where the person has started the agent so', async () => {
  const { backend, frontend } = await repository(false, { AGENT_CHAT_CLAIMS: 'off' })
  await backend.edit('line 10\n', 'line ten\n')
  expect(await frontend.edit('line 10\n', 'x\n')).toBe('pass')
})

test('a project cannot turn it off', async () => {
  const { backend, frontend } = await repository()
  await backend.edit('line 10\n', 'line ten\n')
  const input = { file_path: frontend.file, old_string: 'line 10\n', new_string: 'x\n' }
  const payload = {
    tool_name: 'Edit',
    tool_input: input,
    tool_use_id: 'c',
    prompt_id: 'frontend-1',
    cwd: frontend.tree,
  }
  const { stdout } = await frontend.hook('pre-tool-use', payload, { AGENT_CHAT_CLAIMS: 'off' })
  expect(stdout).toContain('"deny"')
})
