import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Session } from '../bus/names/registry.ts'
import { unless } from '../system/errno.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { noteSwept } from './ended.ts'
import { type Asked, meetingOf } from './meet.ts'
import { sweptBy } from './swept.ts'

/** What the peer has changed: a file in each state that git knows, and one that is committed. */
const FILES = ['unstaged', 'staged', 'both', 'new', 'dir/new', 'ignored.log', 'committed']

/** A tree in which `backend` and `frontend` work, each a process; `write` is an edit of one of them. */
function scene() {
  const folder = tempDirectory()
  const tree = join(folder, 'main')
  mkdirSync(tree)
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
  const options = { cwd: tree, env, encoding: 'utf8' } as const
  const run = (command: string) => spawnSync('bash', ['-c', command], options)
  const git = (...args: string[]) => execFileSync('git', args, options)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b')
  const bus = tempBus(['backend', 'frontend'])
  const agents = ['backend', 'frontend'].map((name) => {
    const child = spawn('sleep', ['86400'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const agent = bus.processes.find(child.pid ?? 0)
    if (!agent) throw new Error('no process')
    return { name, agent: { pid: agent.pid, started: agent.started }, cwd: tree }
  })
  const sessions = Object.fromEntries(agents.map((one) => [one.name, one as unknown as Session]))
  let calls = 0
  const ask = (name: string, tool: string, input: Record<string, unknown>, cwd = tree): Asked => {
    calls += 1
    const { agent } = agents.find((one) => one.name === name) ?? { agent: { pid: 0, started: '' } }
    return {
      bus,
      name,
      agent,
      sessions,
      env,
      cwd,
      id: `call-${calls}`,
      call: { name: tool, input },
    }
  }
  const write = (name: string, file: string, content: string) => {
    const file_path = join(tree, file)
    expect(meetingOf(ask(name, 'Write', { file_path, content })).refusal).toBeUndefined()
    mkdirSync(dirname(file_path), { recursive: true })
    writeFileSync(file_path, content)
  }
  const said = (command: string, cwd?: string) => sweptBy(ask('frontend', 'Bash', { command }, cwd))
  const ran = (command: string) => noteSwept(ask('frontend', 'Bash', { command }))
  const named = (text: string | undefined) =>
    [...(text ?? '').matchAll(/^ {2}(.*) \(@backend, \d+s ago\)$/gm)].map(([, file = '']) => file)
  const files = (command: string, cwd?: string) => named(said(command, cwd)).sort()
  return { tree, folder, run, git, write, said, ran, files, bus }
}

/** All that git knows of, changed by `backend`. */
function changed() {
  const here = scene()
  const { git, write, tree } = here
  for (const file of ['unstaged', 'staged', 'both', 'committed'])
    writeFileSync(join(tree, file), 'first\n')
  writeFileSync(join(tree, '.gitignore'), '*.log\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  git('branch', 'side')
  for (const file of FILES) {
    write('backend', file, file === 'both' ? 'between\n' : 'peer\n')
    if (file === 'both' || file === 'staged' || file === 'committed') git('add', file)
    if (file === 'committed') git('commit', '-qm', 'second', '--', file)
  }
  write('backend', 'both', 'peer\n')
  const lost = () =>
    FILES.filter((file) => {
      const text = unless(['ENOENT', 'ENOTDIR'], () => readFileSync(join(tree, file), 'utf8'))
      return file !== 'committed' && text !== 'peer\n'
    }).sort()
  return { ...here, lost }
}

describe('is told of what git, or rm, then takes away, and of nothing else:', () => {
  test.each([
    'git checkout -- .',
    'git checkout .',
    'git checkout HEAD -- .',
    'git checkout HEAD .',
    'git checkout unstaged',
    'git checkout -- staged both',
    'git checkout -f',
    'git checkout -f side',
    'git checkout -f -b new',
    'git checkout -b other',
    'git checkout --detach',
    'git checkout -- "*ed"',
    'git switch -c other',
    'git switch -f side',
    'git switch --discard-changes side',
    'git restore .',
    'git restore --source=HEAD .',
    'git restore -s HEAD staged committed',
    'git restore --staged .',
    'git restore -SW .',
    'git reset',
    'git reset --hard',
    'git reset --har HEAD',
    'git reset --keep',
    'git -C . reset --hard',
    'git --git-dir=.git --work-tree=. reset --hard',
    'git clean -fd',
    'git clean -fdx',
    'git clean -fdX',
    'git clean -n',
    'git clean -fd dir',
    'git -c clean.requireForce=false clean -dq',
    'git stash',
    'git stash list',
    'git stash create',
    'git stash -u',
    'git stash -a',
    'git stash -k',
    'git stash push -- unstaged',
    'git stash push -m unstaged -- both',
    'git rm -rf .',
    'git rm -rf staged',
    'git rm --cached staged -f',
    'git checkout-index -fa',
    'git read-tree --reset -u HEAD',
    'git diff HEAD -- staged > ../x.patch; git apply -R ../x.patch',
    'git revert --no-edit HEAD',
    'rm -rf *',
    'rm -f unstaged dir/new nothing',
    'rm -rf ./dir/',
    'rm -f *.log',
    'rm -f [a-d]oth',
    'rm -f un{staged,known}',
    'find . -name "*.log" -delete',
    'find dir -type f -exec rm {} +',
    'find . -name new | xargs echo',
    'cd dir && rm -f *',
    'd=$(mktemp -d) && cd $d && rm -rf *',
    'rm -rf /tmp/agent-chat-none-such-*',
    'cd dir; cd ..; git checkout -- .',
    'git status --porcelain > ../list',
    'git worktree list',
    'git branch -D side',
    'git commit -qm third -- staged',
  ])('%s', (command) => {
    const { run, files, lost } = changed()
    const told = files(command)
    run(command)
    const gone = lost()
    // A patch that is made by the same line cannot be read before it runs.
    expect(command.includes('x.patch') ? told.filter((file) => file === 'staged') : told).toEqual(
      gone,
    )
  })
})

describe('is told as well where git itself would stop, or bring the changes back:', () => {
  test.each([
    ['git diff | git apply -R', ['both', 'staged', 'unstaged']],
    ['git restore ":(top)both"', ['both', 'unstaged']],
    ['git -C "$(git rev-parse --show-toplevel)" reset --hard', ['both', 'staged', 'unstaged']],
    ['cd "$REPO" && git stash', ['both', 'staged', 'unstaged']],
    ['git switch side', ['both', 'staged', 'unstaged']],
    ['git checkout side', ['both', 'staged', 'unstaged']],
    ['git rm -r unstaged', ['unstaged']],
    ['git checkout . && git reset --hard', ['both', 'staged', 'unstaged']],
    ['git stash; git stash pop', ['both', 'staged', 'unstaged']],
    ['git pull --rebase --autostash . main', ['both', 'staged', 'unstaged']],
    ['git reset --merge', ['both', 'staged']],
    ['git rebase --abort', ['both', 'staged', 'unstaged']],
    ['ls | xargs rm -rf', ['both', 'dir/new', 'ignored.log', 'new', 'staged', 'unstaged']],
    ['rm -rf "$EVERYTHING"', ['both', 'dir/new', 'ignored.log', 'new', 'staged', 'unstaged']],
  ])('%s', (command, told) => expect(changed().files(command)).toEqual(told))
})

test('the same command again is let through; once it has run, it is another one', () => {
  const { said, files, ran, write, run } = changed()
  expect(said('git stash')).toMatch(
    /^agent-chat: `git stash` takes away what other sessions changed/,
  )
  expect(said('git stash')).toBeUndefined()
  // The peer goes on in the file that the session was told of.
  write('backend', 'unstaged', 'more\n')
  expect(said('git stash')).toBeUndefined()
  write('backend', 'committed', 'new\n')
  expect(files('git stash')).toEqual(['both', 'committed', 'staged', 'unstaged'])
  expect(said('git stash')).toBeUndefined()
  run('git stash')
  ran('git stash')
  expect(said('git stash')).toBeUndefined()
  write('backend', 'unstaged', 'again\n')
  expect(files('git stash')).toEqual(['unstaged'])
  expect(said('git stash')).toBeUndefined()
  expect(files('git stash -u')).toEqual(['dir/new', 'new', 'unstaged'])
})

test('of very many files some are named, and the same command again is let through', () => {
  const { write, said, git, tree } = scene()
  writeFileSync(join(tree, 'a'), '1\n')
  git('add', '-A')
  git('commit', '-qm', '1')
  for (let at = 0; at < 250; at += 1) write('backend', `new/${at}`, 'peer\n')
  expect(said('git clean -fd')?.match(/^ {2}new\//gm)).toHaveLength(20)
  expect(said('git clean -fd -q')).toContain('\n  and 230 more\n')
  expect(said('git clean -fd')).toBeUndefined()
})

test.each([
  ['with spaces', 'a b/c d.ts'],
  ['beyond ASCII', 'src/größe 文.ts'],
  ['that looks like a pattern', 'src/[a]*.ts'],
  ['that looks like an option', '-x'],
  ['with quotes', `it's "so".ts`],
  ['with a line break', 'a\nb'],
])('a file %s', (_, file) => {
  const { git, write, said, tree } = scene()
  writeFileSync(join(tree, 'a'), '1\n')
  git('add', '-A')
  git('commit', '-qm', '1')
  write('backend', file, 'peer\n')
  git('add', '-A')
  expect(said('git reset --hard')).toContain('@backend')
  expect(said(`rm -- '${file.replaceAll("'", "'\\''")}'`)).toContain('@backend')
  expect(said('rm -- other')).toBeUndefined()
  git('commit', '-qm', '2')
  expect(said('git restore -s HEAD -- .')).toBeUndefined()
})

test('a file with line ends of Windows, one that was renamed, one that is binary now, one removed', () => {
  const { git, write, said, run, tree } = scene()
  for (const file of ['dos', 'old', 'binary', 'removed'])
    writeFileSync(join(tree, file), '1\r\n2\r\n')
  git('add', '-A')
  git('commit', '-qm', '1')
  write('backend', 'dos', '1\r\n3\r\n')
  expect(said('git restore dos')).toContain('  dos (@backend')
  write('backend', 'old', '1\r\n4\r\n')
  run('git mv old renamed')
  expect(said('git restore renamed old')).toBeUndefined()
  write('backend', 'binary', 'text\n')
  writeFileSync(join(tree, 'binary'), Buffer.from([0, 1, 2]))
  expect(said('git restore binary')).toContain('  binary (@backend')
  write('backend', 'removed', '')
  run('rm removed')
  expect(said('git restore removed')).toContain('  removed (@backend')
})

test('a link is taken away itself, and what a peer changed through it is where it is', () => {
  const { git, write, said, tree } = scene()
  mkdirSync(join(tree, 'real'))
  writeFileSync(join(tree, 'real/a'), '1\n')
  symlinkSync('real', join(tree, 'link'))
  git('add', '-A')
  git('commit', '-qm', '1')
  write('backend', 'link/a', '2\n')
  expect(said('rm link')).toBeUndefined()
  expect(said('rm -r link/')).toContain('  real/a (@backend')
  expect(said('rm link/a')).toContain('  real/a (@backend')
  expect(said('cd link && rm a')).toContain('  real/a (@backend')
})

test('a submodule, from the tree around it', () => {
  const { git, write, said, run, tree, folder } = scene()
  const lib = join(folder, 'lib')
  execFileSync('sh', [
    '-c',
    `mkdir ${lib}; cd ${lib}; git init -q; echo 1 >a; git add a; git -c user.name=a -c user.email=a@b commit -qm 1`,
  ])
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib, 'lib')
  git('commit', '-qm', '1')
  write('backend', 'lib/a', '2\n')
  for (const command of ['git reset --hard', 'git clean -fdx', 'git stash', 'rm -rf other'])
    expect([command, said(command)]).toEqual([command, undefined])
  for (const command of [
    'rm -rf lib',
    'git -C lib reset --hard',
    'cd lib && git checkout -- .',
    'git submodule foreach git reset --hard',
    'git submodule update --force',
  ])
    expect([command, said(command)]).toEqual([command, expect.stringContaining('  a (@backend')])
  run('git -C lib -c user.name=a -c user.email=a@b commit -qam 2')
  expect(said('git -C lib reset --hard HEAD')).toBeUndefined()
  expect(said('git submodule deinit -f lib')).toBeUndefined()
  expect(tree).not.toBe('')
})

test('what runs where git is asked is none of the repository’s programs', () => {
  const { git, write, said, tree, folder } = scene()
  writeFileSync(join(tree, 'a'), '1\n')
  writeFileSync(join(tree, '.gitattributes'), 'a filter=own\n')
  git('add', '-A')
  git('commit', '-qm', '1')
  write('backend', 'a', '2\n')
  for (const [key, value] of [
    ['filter.own.clean', `touch ${folder}/ran; cat`],
    ['core.fsmonitor', `touch ${folder}/ran`],
  ])
    git('config', key as string, value as string)
  expect(said('git stash')).toContain('  a (@backend')
  expect(unless(['ENOENT'], () => readFileSync(join(folder, 'ran')))).toBeUndefined()
})
