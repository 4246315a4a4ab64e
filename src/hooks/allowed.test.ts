import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bash, type Call, allowWorld as world } from '../../test/trust/world.ts'
import { eventsOf } from '../testing/home.ts'

describe('in a turn that a message began, what is allowed', () => {
  test('passes, opens nothing else, and stands in the history', async () => {
    const { bus, turnOf, turn } = world('npm test')
    const said = await turnOf(bash('npm test'), bash('npm test | tail -5'), bash('npm run x'))
    expect(said).toEqual(['pass', 'pass', 'ask'])
    expect(turn()?.granted).toMatchObject([expect.stringMatching(/^command:/)])
    expect(eventsOf(bus.home, 'approved')).toMatchObject([
      { tool: 'Bash', by: 'allowed', rule: 'allowed' },
      { tool: 'Bash', by: 'allowed' },
      { tool: 'Bash', by: 'human' },
    ])
  })

  test.each(['npm test && rm -rf x', 'npm test; touch x', 'rm -rf x | npm test', 'X=1 npm test'])(
    'asks as %s',
    async (command) => {
      expect(await world('npm test').turnOf(bash(command))).toEqual(['ask'])
    },
  )

  test('asks after an edit, unless it is a check', async () => {
    const allowed = ['npm test', 'npm run build', 'git fetch', 'npx tsc --noEmit', 'make check']
    const { turnOf, edit, write } = world(...allowed, 'git add')
    write('Makefile', 'check:\n\ttrue\n')
    const checks = ['npm test', 'npx tsc --noEmit', 'npm test | tail', 'git add src/a.ts'].map(bash)
    expect(await turnOf(edit(), edit(), ...checks)).toEqual(['ask', ...Array(5).fill('pass')])
    for (const other of ['npm run build', 'git fetch', 'make check']) {
      const said = await turnOf(edit(), bash(other), bash(other), bash('npm test'))
      expect([other, ...said]).toEqual([other, 'ask', 'ask', 'pass', 'ask'])
    }
    expect(await turnOf(bash('npm test'))).toEqual(['pass'])
  })

  test('asks after an edit of its script', async () => {
    for (const scripts of [
      { test: 'vitest run; rm x' },
      { test: 'vitest run', pretest: 'rm x' },
      { test: 'vitest run && ./x.sh' },
    ]) {
      const { may, begin, edit, write } = world('npm test')
      begin()
      expect([await may(edit('package.json')), await may(bash('npm test'))]).toEqual([
        ...['ask', 'pass'],
      ])
      write('package.json', JSON.stringify({ scripts }))
      expect([scripts, await may(bash('npm test'))]).toEqual([scripts, 'ask'])
    }
  })

  test.each([
    ['in a folder that git obeys', '.git/hooks/pre-commit', true],
    ['of what an agent reads', 'CLAUDE.md', true],
    ['outside the project', '../x', true],
    ['that the human did not allow', 'src/a.ts', false],
  ])('asks after an edit %s', async (_, file, yes) => {
    const { begin, may, edit } = world('npm test')
    begin()
    expect(await may(edit(file), yes)).toBe('ask')
    expect(await may(bash('npm test'))).toBe(yes ? 'ask' : 'deny')
  })

  test('asks after an edit and another call that was put to the human', async () => {
    const { turnOf, edit } = world('npm test')
    for (const other of [bash('git checkout x'), ['Skill', {}] as Call]) {
      expect(await turnOf(edit(), other, bash('npm test'))).toEqual(['ask', 'ask', 'ask'])
      expect(await turnOf(other, edit(), bash('npm test'))).toEqual(['ask', 'ask', 'ask'])
    }
  })

  test('asks after another command that was put to the human', async () => {
    const { turnOf } = world('npm test')
    const said = await turnOf(bash('git checkout other'), bash('npm test'))
    expect(said).toEqual(['ask', 'ask'])
  })

  test('asks after an allowed one that may bring other files, or a tool of a server', async () => {
    for (const first of [bash('git pull'), ['mcp__fs__put', {}] as Call]) {
      const { turnOf } = world('npm test', 'git pull', 'mcp__fs__put')
      expect(await turnOf(first, bash('npm test'))).toEqual(['pass', 'ask'])
    }
  })

  test('asks where the script is another one', async () => {
    const { turnOf, write } = world('npm test')
    write('package.json', '{"scripts":{"test":"vitest run && rm -rf x"}}')
    expect(await turnOf(bash('npm test'))).toEqual(['ask'])
  })

  test('passes after a no, as reading does', async () => {
    const { begin, may } = world('npm test', 'mcp__github__merge')
    begin()
    expect(await may(['mcp__github__merge', {}])).toBe('pass')
    begin()
    expect(await may(['Skill', {}], false)).toBe('ask')
    expect(await may(['Skill', {}])).toBe('deny')
    expect(await may(['mcp__github__merge', {}])).toBe('pass')
  })

  test('is nothing where the file of it is broken', async () => {
    const { bus, turnOf } = world('npm test')
    writeFileSync(bus.home.allowed, '{')
    expect(await turnOf(bash('npm test'))).toEqual(['ask'])
  })
})

test('a yes to one call is none to the next of another kind', async () => {
  const { turnOf, edit } = world()
  const said = await turnOf(bash('pytest'), edit(), bash('git push'), bash('rm -rf src'), edit())
  expect(said).toEqual(['ask', 'ask', 'ask', 'ask', 'pass'])
  expect(await turnOf(bash('pytest src'), bash('pytest'), bash('pytest --pdb'))).toEqual([
    'ask',
    'pass',
    'ask',
  ])
})
