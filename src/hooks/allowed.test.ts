import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bash, type Call, allowWorld as world } from '../../test/trust/world.ts'
import { changeState } from '../session/stateFile.ts'
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

  test('asks after an edit, and again in no turn after it', async () => {
    const { turnOf, edit } = world('npm test')
    const said = await turnOf(bash('npm test'), edit(), edit(), bash('npm test'), bash('npm test'))
    expect(said).toEqual(['pass', 'ask', 'pass', 'ask', 'pass'])
    expect(await turnOf(bash('npm test'))).toEqual(['pass'])
  })

  test.each([
    ...['npx tsc --noEmit', 'npx vitest run', 'pytest', 'ruff check', 'cargo test', 'go vet'],
    ...['npm run build', 'make check', './x.sh', 'git fetch', 'docker compose ps'],
  ])('asks after an edit that the human allowed: %s', async (command) => {
    const { turnOf, edit, write } = world(command, 'git add')
    write('Makefile', 'check:\n\ttrue\n')
    const said = await turnOf(edit(), bash('git add src/a.ts'), bash(command))
    expect(said).toEqual(['ask', 'pass', 'ask'])
  })

  test('one yes after an edit is for the same program and verb, until its script is another', async () => {
    const { may, begin, edit, write } = world('npx vitest run', 'npm test', 'npx tsc --noEmit')
    begin()
    const vitest = ['npx vitest run src/a.test.ts', 'npx vitest run -t login', 'npx vitest run']
    const said: string[] = []
    for (const call of [
      edit(),
      ...vitest.map(bash),
      edit('src/b.ts'),
      bash('npx vitest run | tail'),
    ])
      said.push(await may(call))
    expect(said).toEqual(['ask', 'ask', 'pass', 'pass', 'pass', 'pass'])
    expect([await may(bash('npm test')), await may(bash('npm test'))]).toEqual(['ask', 'pass'])
    expect(await may(edit('package.json'))).toBe('pass')
    write('package.json', JSON.stringify({ scripts: { test: 'vitest run && ./x.sh' } }))
    expect([await may(bash('npm test')), await may(bash('npx tsc --noEmit'))]).toEqual([
      ...['ask', 'ask'],
    ])
  })

  test('asks after an edit that an earlier yes covers, as when a schedule fires again', async () => {
    const { bus, begin, may, edit } = world('npm test')
    begin()
    changeState(bus, 'frontend', (state) => {
      if (!state?.turn) throw new Error('no turn')
      return { ...state, turn: { ...state.turn, granted: ['edits'] } }
    })
    expect(await may(bash('npm test'))).toBe('pass')
    expect([await may(edit()), await may(bash('npm test'))]).toEqual(['pass', 'ask'])
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
