import { describe, expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import type { Place } from './place.ts'
import { effectOf as judged } from './reading.ts'

const own = placeWith()
const other = placeWith({ isOwn: () => false })
const effectOf = (command: string, place: Place) => judged(command, place).effect

const READING = [
  'ls',
  'ls -la src docs',
  '  pwd  ',
  'cat README.md | head -20 | wc -l',
  'cd src && ls && cat main.ts',
  'grep -rn "TODO: fix" src || true',
  "grep -n 'a|b; c > d' file",
  `l"s" -a`,
  "'ls'",
  'find . -name "*.ts" -type f',
  'find src -newer package.json',
  'tail -n 5 -- file',
  'tail -5 f',
  'tail -c +100 of.log',
  'sort -u -k1,1 names.txt | tail -3',
  'git status',
  'git log --oneline -5',
  'git diff HEAD -- src/main.ts',
  'git show HEAD:README.md',
  'rg -n gate src',
  'jq .name package.json',
  'file -b a.out',
  'diff -u a b',
  'stat -c %Y file; which node',
  'awk 1 f',
  'find . -print0 | xargs -0 ls',
  'cat < f',
  'ls 2>&1',
  'cat <<< x',
  'ls $HOME',
  '(ls)',
  '{ ls; }',
  '! ls',
  'if true; then ls; fi',
  'ls * ?; ls [a] ~ {a,b}',
  'echo !!',
  'ls # x',
  'echo "a\\"b"',
  'git -C /x status',
  'git status; cd x',
  "cat <<'EOF'\nx\nEOF",
]

const OWN = [
  'agent-chat inbox',
  'agent-chat inbox --peek | head -5',
  'agent-chat send @backend "done, see src/api"',
  "agent-chat send @backend 'costs $5; see `x` && more'",
  'agent-chat who && agent-chat history 5',
  "agent-chat send @frontend --subject 'API ready' <<'MESSAGE'\n## Handover\n`rm -rf /`; $(touch x) > y\nMESSAGE",
  'agent-chat send @frontend - <<"END"\nhello\nEND\n',
  'cat notes.md | agent-chat send @frontend -',
  'agent-chat gate',
  'agent-chat reply 20261121T033912 "it is a string"',
  "agent-chat reply 033912 --question <<'MESSAGE'\nWhich one?\nMESSAGE",
  "agent-chat ask @backend 'Is amount a string on purpose?' --timeout 120",
  'agent-chat ask --resume 033912 --until-idle',
  'agent-chat ask @backend -m x --no-wait',
  "agent-chat task @frontend --subject 'Paging' --file task.md",
  'agent-chat accept the contract one',
  "agent-chat decline the contract one --why 'not mine'",
  "agent-chat done 'the contract one' 'src/list.ts pages now'",
  "agent-chat done 033912 - <<'MESSAGE'\nsrc/list.ts pages now\nMESSAGE",
  "agent-chat fail k7f3m -m 'the database is gone'",
  "agent-chat escalate 'Which format?' --option JSON --option YAML --recommend JSON",
  'agent-chat tasks --open --json | jq .',
  'agent-chat thread 033912; agent-chat status @backend',
  'agent-chat reply 033912 < f',
]

/**
 * What a command does that looks like one of the above: it writes, runs something, or cannot be
 * told.
 */
const CHANGING: [why: string, ...commands: string[]][] = [
  ['nothing at all', '', '   ', '\n'],
  [
    'programs that change things',
    'touch x',
    'rm -f x',
    'npm test',
    'node x.js',
    'sed -i s/a/b/ f',
    'tee x',
  ],
  [
    'programs that run others',
    'env ls',
    'sh -c ls',
    'eval ls',
    'exec ls',
    'command ls',
    'time -p ls',
    'sudo ls',
  ],
  [
    'our verbs that start or end something',
    'agent-chat leave',
    'agent-chat join other',
    'agent-chat doctor',
    'agent-chat setup',
    'agent-chat watch x',
  ],
  [
    'words that a shell changes before we see them',
    'agent-chat ask @backend "$(touch x)"',
    'agent-chat done 033912 `touch x`',
    'agent-chat task @backend x > f',
    'agent-chat ask @backend x & touch y',
  ],
  [
    'our launcher',
    'agent-chat',
    'agent-chat x --cmd "touch y"',
    'agent-chat --cmd touch send',
    'agent-chat @send --cmd x',
    'agent-chat --detach inbox',
    'agent-chat --cmd "touch y" ask',
    'agent-chat @task --cmd x',
  ],
  [
    'another path to us',
    './agent-chat inbox',
    '/usr/bin/agent-chat inbox',
    'node dist/main.js send @x y',
    'npx agent-chat inbox',
  ],
  [
    'redirections',
    'echo x > f',
    'ls >f',
    'ls &> f',
    'agent-chat inbox > f',
    'echo x >| f',
    'cat <> f',
  ],
  [
    'substitutions',
    'ls $(touch x)',
    'ls `touch x`',
    'echo "$(touch x)"',
    'echo "`touch x`"',
    'echo "$x"',
    'cat <(touch x)',
    "ls $'-x'",
  ],
  [
    'assignments',
    'X=1 ls',
    'AGENT_CHAT_NAME=other agent-chat send @x y',
    'PATH=. ls',
    'ls && X=1 ls',
    'X+=1 ls',
  ],
  [
    'more than a list of commands',
    'ls & touch x',
    'ls &',
    'ls; ; ls',
    'ls |',
    '| ls',
    'ls |& cat',
    'f() ls',
  ],
  [
    'a second line',
    'ls\ntouch x',
    'ls\r\ntouch x',
    'agent-chat inbox\ntouch x',
    'agent-chat inbox \\\n; touch x',
  ],
  ['what the shell makes of a word', 'l\\s', "echo 'open"],
  [
    'characters that are not seen',
    'l\u0000s',
    'ls\u0008',
    'ls\u001b[2J',
    'ls\u00a0x',
    'ls\u2028touch x',
    'ls\u007f',
  ],
  [
    'find that does',
    'find . -delete',
    'find . -exec rm x',
    "find . '-exec' rm x",
    'find . -fprintf f x',
    'find . -o"k" ls',
    'find . -execdir ls',
  ],
  [
    'sort that writes',
    'sort -o f f',
    'sort -uof f',
    'sort --output=f f',
    'sort --ou f f',
    'sort -T d f',
    'sort --compress-program=x f',
    'sort "-o" f',
    'sort -0of',
  ],
  [
    'what waits for what comes',
    'tail -f log',
    'tail -F log | grep -m1 x',
    'tail -n5f log',
    'tail +5f log',
    'tail --fol=name log',
    'tail --retry log',
    'agent-chat history --follow',
    'agent-chat history "--follow" --json | grep -m1 x',
  ],
  ['file that compiles', 'file -C -m x', 'file -0C', 'file --compile', 'file --co'],
  ['rg that runs', 'rg --pre ./x y', 'rg --pre=x y', 'rg --hostname-bin=x y'],
  [
    'git that writes',
    'git commit -m x',
    'git add .',
    'git stash',
    'git branch x',
    'git config x y',
    'git checkout .',
    'git diff --output=f',
    'git diff --ou f',
    'git log --output f',
  ],
  [
    'git that runs',
    'git grep -O x',
    'git grep -Oless x',
    "git grep -lO'touch x' y",
    'git grep --open-files-in-pager=x y',
    'git diff --ext-diff',
    'git show --textconv',
  ],
  [
    'git with options before the word',
    'git -c core.pager=x log',
    'git --exec-path=x status',
    'git --git-dir=x log',
  ],
  [
    'git in a repository of another',
    'cd ../other && git status',
    'cd x; ls | git log',
    'cd x && agent-chat send @backend --with-diffstat y',
    "cd x; agent-chat send @backend --handover <<'END'\ny\nEND",
  ],
  [
    'cd to more than one plain place',
    'cd',
    'cd -',
    'cd -P x',
    'cd -- x',
    'cd ""',
    'cd x y',
    'cd x && ls && cd ..',
  ],
  [
    'a heredoc that is not ours',
    "bash <<'EOF'\ntouch x\nEOF",
    "agent-chat inbox; bash <<'EOF'\ntouch x\nEOF",
  ],
  [
    'a heredoc in which the shell does more',
    'agent-chat send @x <<EOF\n$(touch x)\nEOF',
    'agent-chat send @x <<E"O"F\nx\nEOF',
    'agent-chat send @x <<\\EOF\nx\nEOF',
  ],
  [
    'a heredoc with more behind it',
    "agent-chat send @x <<'EOF'\nx\nEOF\ntouch y",
    "agent-chat send @x <<'EOF'; touch y\nx\nEOF",
    "agent-chat send @x <<'EOF' > f\nx\nEOF",
  ],
  [
    'a heredoc that ends sooner than it seems',
    "agent-chat send @x <<-'EOF'\nx\n\tEOF\ntouch y\nEOF",
    "agent-chat send @x <<'EOF'\nE\u0000OF\ntouch y\nEOF",
  ],
  [
    'a heredoc without an end',
    "agent-chat send @x <<'EOF'\nx",
    "agent-chat send @x <<'EOF'\nx\n EOF",
    "agent-chat send @x\n<<'EOF'\nx\nEOF",
  ],
  ['two heredocs', "agent-chat send @x <<'A' <<'B'\nx\nA\ntouch y\nB"],
]

/**
 * What git does is the repository's to say: where that is another than the session's, these are not
 * plain reading.
 */
const WITH_GIT = [
  'git status',
  'ls | git log',
  "'g'it diff",
  'agent-chat send @backend --with-diffstat x',
  "agent-chat send @backend '--hand'over --file x",
]

describe('a command counts as', () => {
  test.each(READING)('reading: %j', (command) => expect(effectOf(command, own)).toBe('reading'))
  test.each(OWN)('our own: %j', (command) => expect(effectOf(command, own)).toBe('own'))
  test.each(CHANGING)('changing, for %s', (_, ...commands) => {
    for (const command of commands)
      expect([command, effectOf(command, own)]).toEqual([command, 'changing'])
  })
  test.each(WITH_GIT)('changing where the repository is another: %j', (command) => {
    expect(effectOf(command, own)).not.toBe('changing')
    expect(effectOf(command, other)).toBe('changing')
  })
  test.each(['cd x', 'cd x && ls', "ls; cd 'a b' | cat"])(
    'changing where it leads to another repository: %j',
    (command) => {
      const seen: string[] = []
      const look = (there: boolean) =>
        effectOf(command, placeWith({ isOwn: (directory) => seen.push(directory) > 0 && there }))
      expect([look(true), look(false)]).toEqual(['reading', 'changing'])
      expect(new Set(seen)).toEqual(new Set([command.includes('a b') ? 'a b' : 'x']))
    },
  )
  test('the same where the repository is another, as long as git has no part in it', () => {
    const others = [...READING, ...OWN].filter((command) => !/^(git|cd)/.test(command))
    for (const command of others) expect(effectOf(command, other)).toBe(effectOf(command, own))
  })
})

test('what zsh may take for a pattern asks where a file has the name of an option', () => {
  const command = 'git log HEAD ^$(git merge-base A B)'
  expect(effectOf(command, own)).toBe('reading')
  expect(effectOf(command, placeWith({ holdsOptions: () => true }))).toBe('changing')
})
