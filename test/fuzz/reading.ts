import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ASKS, READS } from '../../src/testing/gateExamples.ts'
import { placeWith } from '../../src/testing/place.ts'
import { shellRuns } from '../../src/testing/shells.ts'
import { effectOf } from '../../src/trust/shell/reading.ts'
import { forAll, TIMES } from './cases.ts'

/** How many commands are made a run, and how many of those that pass are run in each shell. */
const MADE = 20_000
const RUN = 400
/**
 * How many are run by one shell, and how long it may take, in milliseconds: some wait for what
 * never comes.
 */
const AT_ONCE = 40
const LONGEST_MS = 10_000

/**
 * What a command may start, by the names that the gate knows; and what stands where it may start
 * nothing.
 */
const READERS =
  '[ awk base64 basename cat cksum cmp column comm cut date df diff dirname du egrep expand expr false fgrep file find fold git grep groups head hexdump id jq join ls md5sum nl nproc od paste pr printf pwd readlink realpath rev rg sed seq sha256sum shuf sort stat strings sum tac tail test timeout tr tree true tsort uname unexpand uniq uptime users wc which who whoami xargs xxd'.split(
    ' ',
  )
const OTHERS =
  'bash chmod cp curl dd env evil gpg kill less ln man mkdir mv pager python3 rm sh sudo tee touch vi'.split(
    ' ',
  )

/** Pieces that mean something to a shell, or to a program that reads. */
const PIECES =
  `> < >> 2> & | || && ; \n $( \` ) ( { } " ' \\ $ # ~ * ? [ ] ! = - -- -o -i -delete -exec {} \\; + %n ^ @ \t \r e p 'w x' -n $x "$x" \${x} $? x=1 {a,-delete} {PATH}> /dev/null <<EOF\nx\nEOF\n <<'E'\n$(touch\nE\n a.txt sub do done $' $" $(( <( >( =( *(.) !(a) PATH=. IFS= git -c --output=PWN --ext-diff %G? \u00e0 \u00a0`
    .split(' ')
    .concat([
      ' ',
      ' ',
      ' ',
      '; touch PWN',
      ' | sh',
      ' rm a.txt',
      'for x in a; do ',
      'if true; then ',
      // A word that is gone, or no word, and the value of one that changes.
      ' 3>/dev/null ',
      ' $(git merge-base a b) ',
      '"$(git merge-base a b)"',
      'x=a; x=-delete y="$x"; ',
      'time ',
      'timeout 5 ',
      '$y',
      "']]'",
      // What sh reads as `&`, and what zsh calculates.
      ' &>/dev/null ',
      '&>/dev/null touch PWN',
      ':F:y:h',
      "y='path[$(touch PWN)]'; ",
    ])

const example = fc.constantFrom(...READS, ...READS, ...ASKS)
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(2),
  piece: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: example.map((text) => text.slice(text.length / 2)) },
  ),
})
/** A command of the lists, with pieces put into it and cut out of it. */
const command = fc
  .tuple(example, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((now, { at, cut, piece }) => {
      const from = Math.floor(at * now.length)
      return now.slice(0, from) + piece + now.slice(from + cut)
    }, text),
  )

/** Commands that look at the whole machine are left out: they only take their time. */
const TOO_WIDE = /[\s="'{,]\/+([\s"'*?}.,]|$)|\.\.\/\.\.|\/(proc|sys)/

export function readingProperties(): void {
  describe('commands that count as reading', () => {
    test('change nothing, and start nothing but what reads', async () => {
      const passing = new Set<string>()
      const property = fc.property(command, (text) => {
        const { effect, why } = effectOf(text, placeWith({ home: undefined }))
        expect(why).not.toBe('')
        if (effect !== 'changing' && !TOO_WIDE.test(text)) passing.add(text)
      })
      await forAll('gate commands', MADE, property)
      const chosen = [...passing].slice(0, RUN * TIMES)
      expect(chosen.length).toBeGreaterThan(100 * Math.min(1, TIMES))
      const shells = (['bash', 'dash', 'zsh'] as const).filter(shellRuns)
      for (const shell of shells) expect([shell, culprits(shell, chosen)]).toEqual([shell, []])
    })

    test('would be seen here, were there one that changes things', () => {
      const bad = ['touch new', 'echo x > a.txt', 'rm a.txt', 'sh -c ls', 'sed -i s/o/0/ f']
      expect(culprits('bash', ['ls', ...bad, 'cat f'])).toEqual(bad)
    })
  })
}

/**
 * Those of the commands that changed a file, or started what does not read, in a directory made for
 * it.
 */
function culprits(shell: string, commands: string[]): string[] {
  const sandbox = makeSandbox()
  const half = (some: string[]): string[] => {
    if (runsCleanly(sandbox, shell, some)) return []
    if (some.length <= 1) return some
    const middle = some.length >> 1
    return [...half(some.slice(0, middle)), ...half(some.slice(middle))]
  }
  const groups = Array.from({ length: Math.ceil(commands.length / AT_ONCE) }, (_, at) =>
    commands.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
  return groups.flatMap(half)
}

function runsCleanly(sandbox: string, shell: string, commands: string[]): boolean {
  const work = join(sandbox, 'work')
  fill(work)
  const before = hashOf(sandbox)
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const lines = commands.map((text) => `(eval ${quote(text)}) </dev/null >/dev/null 2>&1`)
  const env = {
    PATH: join(sandbox, 'bin'),
    HOME: join(sandbox, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
  const run = [found(shell) ?? shell, '-c', lines.join('\n')]
  // It ends what the shell has started as well, and does not end.
  const limit = found('timeout')
  const [program = '', ...args] =
    limit === undefined ? run : [limit, '-s', 'KILL', `${LONGEST_MS / 1000}`, ...run]
  spawnSync(program, args, {
    cwd: work,
    env,
    stdio: 'ignore',
    timeout: LONGEST_MS * 2,
    killSignal: 'SIGKILL',
  })
  return hashOf(sandbox) === before
}

function makeSandbox(): string {
  const sandbox = mkdtempSync(join(tmpdir(), 'agent-chat-fuzz-'))
  onTestFinished(() => rmSync(sandbox, { recursive: true, force: true, maxRetries: 3 }))
  for (const name of ['bin', 'home', 'work']) mkdirSync(join(sandbox, name))
  for (const name of READERS) {
    const there = found(name)
    if (there !== undefined) symlinkSync(there, join(sandbox, 'bin', name))
  }
  for (const name of OTHERS) {
    const text = `#!/bin/sh\ncase $1 in --version | -V) ;; *) echo ${name} >> '${sandbox}/started' ;; esac\n`
    writeFileSync(join(sandbox, 'bin', name), text, { mode: 0o755 })
  }
  return sandbox
}

/** Files whose names are options, too, and a repository. */
function fill(work: string): void {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, 'sub'), { recursive: true })
  for (const name of ['a.txt', 'f', 'x', 'y', 'sub/c', '-delete', '-i', '-o', 'w x', '--output=z'])
    writeFileSync(join(work, name), 'one\ntouch PWN\n')
  const git = (...args: string[]) => spawnSync('git', args, { cwd: work, stdio: 'ignore' })
  git('init', '-q')
  git('add', 'a.txt', 'f')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x')
}

function hashOf(directory: string): string {
  const hash = createHash('sha1')
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const is = lstatSync(join(directory, name))
    hash.update(`${name}\0${is.mode}\0`)
    if (is.isFile()) hash.update(readFileSync(join(directory, name)))
  }
  return hash.digest('hex')
}

function found(program: string): string | undefined {
  const directories = (process.env.PATH ?? '').split(':').concat('/usr/bin', '/bin')
  return directories.map((one) => join(one, program)).find((path) => existsSync(path))
}
