import { describe, expect, test } from 'vitest'
import { sweepsIn } from './sweeps.ts'

const paths = (line: string) => sweepsIn(line).map((one) => one.paths)

test.each([
  ['git checkout -- .', ['.']],
  ['git checkout .', ['.']],
  ['git checkout HEAD -- src a.ts', ['src', 'a.ts']],
  ['git checkout main', 'all'],
  ['git checkout -f', 'all'],
  ['git restore .', ['.']],
  ['git restore --source=HEAD src', ['src']],
  ['git restore --staged --worktree .', ['.']],
  ['git restore "$FILES"', 'all'],
  ['git reset --hard', 'all'],
  ['git reset --hard HEAD~1', 'all'],
  ['git stash', 'all'],
  ['git stash -u', 'all'],
  ['git stash push -m "my work"', 'all'],
  ['git stash push -- a.ts', ['a.ts']],
  ['git clean -fd', 'all'],
  ['git clean -fdx src', ['src']],
  ['git switch main', 'all'],
  ['git switch -f -c new', 'all'],
  ['git worktree remove ../other --force', ['../other']],
  ['git rm -r src', ['src']],
  ['rm -rf src', ['src']],
  ['rm -- -x', ['-x']],
  ['rm *.ts', 'all'],
  ['/bin/rm a', ['a']],
  ['git -c core.pager=cat --no-pager reset --hard', 'all'],
])('%s takes from %j', (line, from) => expect(paths(line)).toEqual([from]))

test.each([
  'git status',
  'git checkout -b new',
  'git switch -c new',
  'git restore --staged .',
  'git reset',
  'git reset HEAD a.ts',
  'git stash list',
  'git stash pop',
  'git clean -n',
  'git clean -nfd',
  'git worktree list',
  'git rm --cached a',
  'git commit -m "git reset --hard"',
  'echo git reset --hard',
  'grep -r "rm -rf" .',
  'npm run clean',
])('%s takes nothing', (line) => expect(paths(line)).toEqual([]))

describe('wherever it is in a line', () => {
  test.each([
    'cd src && git reset --hard',
    'npm test || git reset --hard',
    'git status; git reset --hard',
    'if git diff --quiet; then git reset --hard; fi',
    'sudo git reset --hard',
    'timeout 5 git reset --hard',
    'bash -c "cd src; git reset --hard"',
    'git reset --hard > out.log 2>&1',
    'npm test > log && git reset --hard',
  ])('%s', (line) => expect(paths(line)).toEqual(['all']))

  test.each([
    ['cd src && git checkout -- .', ['.', './src']],
    ['cd /a && cd b && rm x', ['.', '/a', '/a/b']],
    ['git -C ../other restore .', ['./../other']],
    ["sh -c 'cd a && rm x'", ['./.', '././a']],
  ])('%s runs in %j', (line, directories) =>
    expect(sweepsIn(line)[0]?.directories).toEqual(directories),
  )
})
