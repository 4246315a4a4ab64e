import { expect, test } from 'vitest'
import { covers, mayOverlap } from './claims.ts'

test.each<[pattern: string, covered: string[], not: string[]]>([
  ['src/api/**', ['src/api/a.ts', 'src/api/b/c.ts'], ['src/api.ts', 'src/apix/a.ts', 'api/a.ts']],
  ['src/api', ['src/api', 'src/api/a.ts', 'src/api/b/c.ts'], ['src/api.ts', 'src/apis/a.ts']],
  ['*.md', ['a.md', 'a.md/b'], ['a.mdx', 'docs/a.md', 'amd']],
  ['**/*.md', ['a.md', 'docs/a.md', 'docs/b/a.md'], ['a.mdx']],
  ['src/**/test', ['src/test', 'src/a/b/test', 'src/a/test/x.ts'], ['src/tests', 'test']],
  ['a?c.ts', ['abc.ts'], ['ac.ts', 'a/c.ts', 'abbc.ts']],
  ['**', ['a', 'a/b/c'], []],
  ['**/**/**/x', ['x', 'a/x'], ['y']],
  ['src/(a)[b]+.ts', ['src/(a)[b]+.ts'], ['src/ab.ts', 'src/ab+.ts']],
  ['src/a.ts', ['src/a.ts'], ['src/abts', 'src/a-ts']],
])('%s covers %j, and not %j', (pattern, covered, not) => {
  expect(covered.filter((file) => !covers(pattern, file))).toEqual([])
  expect(not.filter((file) => covers(pattern, file))).toEqual([])
})

test.each([
  ['src/api/**', 'src/**', true],
  ['src/api/**', 'src/api/a.ts', true],
  ['**/*.md', 'src/a.ts', true],
  ['src/*.ts', 'src/*.js', true],
  ['src/api/**', 'src/web/**', false],
  ['a.ts', 'b.ts', false],
])('%s and %s may cover one file: %s', (one, other, may) => {
  expect(mayOverlap(one, other)).toBe(may)
  expect(mayOverlap(other, one)).toBe(may)
})

test('no pattern takes long', () => {
  const began = performance.now()
  covers(`${'*a'.repeat(8)}b`, 'a'.repeat(4096))
  covers(`${'**/'.repeat(60)}x`, 'a/'.repeat(2000))
  covers(`${'**/a/'.repeat(8)}x`, 'a/'.repeat(500))
  expect(performance.now() - began).toBeLessThan(20_000)
})
