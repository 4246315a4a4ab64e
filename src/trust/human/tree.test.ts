import { describe, expect, test } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { judgeTree, type Seen, UNREADABLE } from './tree.ts'

type More = Partial<Seen>

/** A process as `name` or `name word word …`; by default in the shell's own job, on terminal 9. */
function one(words: string, more: More = {}): Seen {
  const [command = '', ...args] = words.split(' ')
  return {
    ...{ pid: 50, parent: 40, command, group: 5, foreground: 9, args: [command, ...args] },
    ...{ mark: undefined, root: false, mine: true },
    ...more,
  }
}

/** A program without a terminal, as a desktop or the system starts one. */
const off = (words: string, more: More = {}) => one(words, { group: 3, foreground: -1, ...more })
/** A program in the same job as the command. */
const job = (words: string, more: More = {}) => one(words, { group: 9, ...more })
/** A process in another terminal, which a wrapper or a multiplexer gave it. */
const outer = (words: string, more: More = {}) => one(words, { group: 6, foreground: 7, ...more })

const ME = job('node /opt/agent-chat/dist/main.js approve')
const INIT = off('systemd', { pid: 1, parent: 0, root: true, mine: false, mark: UNREADABLE })
const SSHD = off('sshd', { root: true, mine: false, mark: UNREADABLE })
const VSCODE = 'bash --init-file /usr/share/code/resources/app/shellIntegration-bash.sh'
const KITTY = off('kitty', { pid: 30 })
const TMUX = off('tmux:', { command: 'tmux: server', pid: 20, parent: 1 })
const CODE = off('code --type=utility', { parent: 1 })
const MARKED = { mark: 'CLAUDECODE' }

/** How a person types a command, each as the processes above it. */
const TYPED: [way: string, ...above: Seen[]][] = [
  ['bash in a terminal', one('bash'), KITTY, INIT],
  ['zsh, as a login shell', one('-zsh', { args: ['-zsh'] }), off('gnome-terminal-'), INIT],
  ['fish', one('fish'), off('konsole'), INIT],
  ['VS Code × bash', one(VSCODE), CODE, off('code'), INIT],
  ['VS Code × zsh', one('zsh -i'), CODE, off('code'), INIT],
  [
    'VS Code × fish',
    one('fish', {
      args: ['fish', '--init-command', 'source "/c/scripts/shellIntegration.fish"'],
    }),
    CODE,
    INIT,
  ],
  [
    'VS Code × pwsh',
    one('pwsh', {
      args: ['pwsh', '-noexit', '-command', 'try { . "/c/shellIntegration.ps1" } catch {}'],
    }),
    CODE,
    INIT,
  ],
  [
    'VS Code’s server on another machine',
    one(VSCODE),
    off('node /home/me/.vscode-server/bin/1/out/bootstrap-fork --type=ptyHost'),
    off('sh /home/me/.vscode-server/bin/1/bin/code-server'),
    INIT,
  ],
  ['Cursor', one('zsh -il'), off('cursor --type=utility'), off('cursor'), INIT],
  [
    'JetBrains',
    one('bash --rcfile /opt/idea/plugins/terminal/jediterm-bash.in -i'),
    off('java -cp /opt/idea/lib/app.jar'),
    INIT,
  ],
  ['a JetBrains launcher', one('zsh -i'), off('pycharm'), INIT],
  ['a shell in Emacs', one('bash --noediting -i'), off('emacs'), INIT],
  ['a terminal in Neovim', one('zsh'), off('nvim'), outer('bash'), KITTY, INIT],
  ['nix-shell', one('bash --rcfile /tmp/nix-shell-1/rc'), one('bash'), KITTY, INIT],
  ['nix develop', one('bash --rcfile /tmp/nix-shell.x'), one('nix develop'), one('zsh'), KITTY],
  ['ssh', one('-bash', { args: ['-bash'] }), SSHD, SSHD, INIT],
  ['ssh of OpenSSH 9.8', one('bash'), off('sshd-session'), off('sshd', { root: true }), INIT],
  ['mosh', one('-zsh', { args: ['-zsh'] }), off('mosh-server'), INIT],
  ['sudo -s', one('bash'), one('sudo -s', { root: true, mine: false }), one('bash'), SSHD, INIT],
  [
    'sudo -s with a terminal of its own',
    one('bash'),
    one('sudo -s', { group: 4 }),
    outer('sudo -s'),
    outer('bash'),
    SSHD,
    INIT,
  ],
  [
    'sudo agent-chat',
    job('sudo agent-chat approve'),
    outer('sudo', { foreground: 7 }),
    outer('zsh'),
    KITTY,
  ],
  ['su -', one('-bash', { args: ['-bash'] }), one('su -'), one('bash'), KITTY, INIT],
  ['doas', job('doas agent-chat approve'), one('ksh'), SSHD, INIT],
  ['screen', one('bash'), off('screen', { args: ['SCREEN'] }), INIT],
  ['tmux', one('-bash', { args: ['-bash'] }), TMUX, INIT],
  ['zellij', one('fish'), off('zellij --server /run/x'), INIT],
  ['a shell in a popup', one('bash'), TMUX, INIT],
  ['docker exec -it … bash', one('bash', { parent: 0 })],
  ['docker run -it … bash', one('bash', { pid: 1, parent: 0 })],
  [
    'npx',
    job('npm', { command: 'npm exec agent-c', args: ['npm exec agent-chat approve'] }),
    one('bash'),
    KITTY,
  ],
  [
    'npm run',
    job('sh -c agent-chat'),
    job('npm', { command: 'npm run chat', args: ['npm run chat'] }),
    one('zsh'),
    KITTY,
  ],
  [
    'pnpm',
    job('node /usr/lib/pnpm/bin/pnpm.cjs run chat', { command: 'MainThread' }),
    one('zsh'),
    KITTY,
  ],
  ['make', job('sh -c agent-chat'), job('make chat'), one('bash'), off('xterm'), INIT],
  ['mise', job('mise exec -- agent-chat'), one('bash'), off('alacritty'), INIT],
  ['volta', job('volta-shim'), one('fish'), off('wezterm-gui'), INIT],
  ['just', job('bash -c x'), job('just chat'), one('zsh'), off('ghostty'), INIT],
  ['a script of the person’s own', job('bash deploy.sh'), one('bash'), KITTY, INIT],
  ['an alias of git', job('sh -c agent-chat'), job('git chat'), one('bash'), KITTY],
  ['env and time', job('env A=1 agent-chat'), one('bash'), KITTY],
  ['a key of bash (bind -x)', job('bash'), KITTY, INIT],
  ['a key of zsh in tmux', job('-zsh', { args: ['-zsh'] }), TMUX, INIT],
  ['a shell of Midnight Commander', one('bash'), outer('mc'), outer('bash'), KITTY],
  ['WSL', one('-bash', { args: ['-bash'] }), off('Relay(12)'), off('SessionLeader'), INIT],
  [
    'the console of the machine',
    one('-bash', { args: ['-bash'] }),
    off('login', { root: true }),
    INIT,
  ],
  [
    'Terminal of macOS',
    one('-zsh', { args: ['-zsh'] }),
    one('login -pf me'),
    off('Terminal'),
    INIT,
  ],
  ['ttyd in a browser', one('bash'), off('ttyd bash'), INIT],
  ['xonsh', one('python3 /usr/bin/xonsh'), KITTY, INIT],
]

test.each(TYPED)('a person types in: %s', (_, ...above) => {
  expect(judgeTree([ME, ...above])).toEqual({ is: 'typed' })
})

const SIZE = 30
test(`${TYPED.length} ways are tried, ${SIZE} at least`, () => {
  expect(TYPED.length).toBeGreaterThanOrEqual(SIZE)
})

test('docker exec -it runs the command itself', () => {
  expect(judgeTree([{ ...ME, parent: 0 }])).toEqual({ is: 'typed' })
})

test.each<[way: string, ...above: Seen[]]>([
  ['a popup of tmux', TMUX, INIT],
  ['a popup of tmux, by a shell', one('sh -c agent-chat'), TMUX, INIT],
  ['a window of a terminal alone', KITTY, INIT],
  ['ssh -t host agent-chat', one('bash -c agent-chat'), SSHD, SSHD, INIT],
  ['a task of an editor', one('bash -c agent-chat'), CODE, INIT],
  ['a line of vim', job('sh -c agent-chat'), job('vim'), one('bash'), KITTY],
  [
    'a program that nobody knows, at a shell’s terminal',
    job('python3 deploy.py'),
    one('bash'),
    KITTY,
  ],
  [
    'an unknown agent at a shell’s terminal',
    job('bash -c agent-chat'),
    job('aider'),
    one('bash'),
    KITTY,
  ],
])('is at a terminal, and nothing shows who typed it: %s', (_, ...above) => {
  expect(judgeTree([ME, ...above])).toEqual({ is: 'direct' })
})

describe('nobody', () => {
  test.each<[way: string, why: RegExp, self: Seen, ...above: Seen[]]>([
    ['cron', /no terminal/, { ...ME, foreground: -1 }, off('sh -c agent-chat'), off('cron'), INIT],
    ['ssh without -t', /no terminal/, { ...ME, foreground: -1 }, off('bash -c x'), SSHD, INIT],
    ['a unit', /no terminal/, { ...ME, foreground: -1 }, off('systemd'), INIT],
    ['the background', /background/, { ...ME, group: 8 }, one('bash'), KITTY],
    ['a terminal that script made, detached', /script/, ME, one('bash'), off('script'), INIT],
    [
      'a terminal that python made, detached',
      /python3/,
      ME,
      one('bash -i'),
      off('python3 p.py'),
      INIT,
    ],
    [
      'a terminal that an unknown program made below a terminal',
      /python3 .* gave it a terminal/,
      ME,
      one('bash -i'),
      outer('python3 agent.py'),
      outer('bash'),
      KITTY,
    ],
    [
      'a shell whose words are hidden, detached',
      /bash/,
      ME,
      one('bash', { args: undefined }),
      INIT,
    ],
    [
      'an orphan in a container',
      /script/,
      ME,
      job('script -qc x'),
      off('tini', { pid: 1, parent: 0 }),
    ],
  ])('%s', (_, why, ...chain) => {
    const judged = judgeTree(chain)
    expect(judged).toMatchObject({ is: 'nobody', why: expect.stringMatching(why) })
  })
})

describe('an agent', () => {
  test.each<[way: string, why: RegExp, ...chain: Seen[]]>([
    [
      'a mark on the command, no terminal',
      /CLAUDECODE .* this command/,
      { ...ME, foreground: -1, ...MARKED },
    ],
    [
      'a command of Claude Code’s',
      /CLAUDECODE/,
      { ...ME, foreground: -1, ...MARKED },
      off('bash -c x', MARKED),
      one('claude'),
      one('bash'),
      KITTY,
    ],
    [
      'env -i',
      /CLAUDECODE .* bash/,
      { ...ME, foreground: -1 },
      off('bash -c x', MARKED),
      one('claude'),
      one('bash'),
      KITTY,
    ],
    [
      'env -i on a pty',
      /CLAUDECODE/,
      ME,
      one('script -qc x'),
      off('bash -c x', MARKED),
      one('node cli.js'),
      one('bash'),
      KITTY,
    ],
    ['an agent by its name alone', /codex/, ME, one('bash'), one('codex'), one('bash'), KITTY],
    [
      'an agent of Node by its file',
      /node/,
      ME,
      one('bash'),
      one('node --x /usr/bin/gemini'),
      one('bash'),
      KITTY,
    ],
    [
      'a mark in a bare tmux server',
      /CLAUDECODE/,
      ME,
      one('bash', MARKED),
      { ...TMUX, ...MARKED },
      INIT,
    ],
    ['a mark in screen', /OPENCODE/, ME, one('bash', { mark: 'OPENCODE' }), off('screen'), INIT],
    ['a mark, and the tree ends at the first process', /CLAUDECODE/, ME, one('bash', MARKED), INIT],
    ['a mark in a container', /CLAUDECODE/, ME, one('bash', { ...MARKED, parent: 0 })],
    [
      'a terminal that the agent opened',
      /CLAUDECODE/,
      ME,
      one('bash', MARKED),
      off('xterm', MARKED),
      off('bash -c xterm', MARKED),
      one('claude'),
    ],
    [
      'a terminal that the agent opened for one command',
      /CLAUDECODE/,
      { ...ME, ...MARKED },
      off('xterm', MARKED),
      INIT,
    ],
    [
      'a terminal of an editor’s extension',
      /CLINE_ACTIVE/,
      ME,
      one('bash', { mark: 'CLINE_ACTIVE' }),
      CODE,
      INIT,
    ],
    [
      'a program of its own called login',
      /CLAUDECODE/,
      ME,
      one('bash', MARKED),
      off('login', MARKED),
      INIT,
    ],
    [
      'a hidden environment of an unknown program',
      /cannot be read .* helper/,
      ME,
      one('bash'),
      off('helper', { mark: UNREADABLE }),
      INIT,
    ],
    [
      'a mark at the very top',
      /QWEN_CODE/,
      ME,
      one('bash'),
      KITTY,
      off('sh', { mark: 'QWEN_CODE' }),
      INIT,
    ],
    [
      'the first process of a sandbox',
      /CLAUDECODE/,
      ME,
      one('bash'),
      off('bwrap', { ...MARKED, pid: 1, parent: 0 }),
    ],
  ])('%s', (_, why, ...chain) => {
    expect(judgeTree(chain)).toMatchObject({ is: 'agent', why: expect.stringMatching(why) })
  })
})

describe('the tree says more than a variable', () => {
  test.each<[way: string, ...chain: Seen[]]>([
    ['ssh', ME, one('bash', MARKED), SSHD, SSHD, INIT],
    ['a variable before the command', { ...ME, ...MARKED }, one('bash'), KITTY, INIT],
    ['a terminal', ME, one('bash', MARKED), KITTY, INIT],
    [
      'a terminal that an agent had opened, which is gone',
      ME,
      one('bash', MARKED),
      off('kitty', MARKED),
      INIT,
    ],
    [
      'an editor that has it, too',
      ME,
      one(VSCODE, MARKED),
      off('code', MARKED),
      off('code', MARKED),
      INIT,
    ],
  ])('%s', (_, ...chain) => {
    expect(judgeTree(chain)).toEqual({ is: 'typed' })
  })

  const PANE = [ME, one('bash', MARKED), { ...TMUX, ...MARKED }, INIT]
  const CLIENT = off('tmux:', { command: 'tmux: client' })
  test.each<[way: string, is: string, ...clients: Seen[][]]>([
    ['nobody looks at the session', 'agent'],
    ['somebody looks at it from a terminal', 'typed', [CLIENT, one('bash'), KITTY, INIT]],
    ['somebody looks at it by ssh', 'typed', [CLIENT, one('-zsh'), SSHD, SSHD, INIT]],
    ['its client has marks', 'agent', [CLIENT, one('bash', MARKED), KITTY, INIT]],
    ['its client’s tree ends at the first process', 'agent', [CLIENT, one('script'), INIT]],
    ['its client is in another bare tmux', 'agent', [CLIENT, one('bash'), TMUX, INIT]],
    ['its client is a program’s', 'agent', [CLIENT, one('python3'), one('bash'), KITTY, INIT]],
  ])('in tmux, where %s: %s', (_, is, ...clients) => {
    expect(judgeTree(PANE, () => clients).is).toBe(is)
  })

  test('is not asked for the clients where there is no mark', () => {
    const look = () => {
      throw new Error('asked tmux')
    }
    expect(judgeTree([ME, one('bash'), TMUX, INIT], look).is).toBe('typed')
  })
})

describe('an environment that cannot be read', () => {
  const hidden = { mark: UNREADABLE }
  test.each([
    'sudo -s',
    'su -',
    'doas sh',
    'login',
    'sshd',
    'screen',
    'kitty',
    'ssh-agent',
    'mosh-server',
    'systemd',
  ])('is no mark for %s', (words) => {
    const chain = [ME, one('bash'), one(words, hidden), one('bash'), KITTY, INIT]
    expect(judgeTree(chain).is).not.toBe('agent')
  })

  test('is no mark for another user’s program', () => {
    expect(judgeTree([ME, one('bash'), KITTY, off('gdm', { ...hidden, mine: false })]).is).toBe(
      'typed',
    )
  })
})

/** The process of an agent: a program of its own name, or Node with its file. */
const NATIVE = ['claude', 'codex', 'opencode', 'kilo']
const programOf = ({ name, programs: [program = ''] }: Agent, more: More = {}) =>
  NATIVE.includes(name)
    ? one(program, more)
    : one(`node /usr/lib/node_modules/.bin/${program}`, { command: 'MainThread', ...more })

/** Without a terminal, as a tool's command and a hook are. */
const MUTE = { ...ME, foreground: -1, group: 50 }

/**
 * How an agent runs a command, as the processes from the command up to the agent: `mark` in what it
 * starts, and `its` process.
 */
const RUNS: Record<string, (mark: More, its: (more?: More) => Seen) => Seen[]> = {
  'its shell tool': (mark, its) => [{ ...MUTE, ...mark }, off('bash -c x', mark), its()],
  'its shell tool, with a terminal that it shares': (mark, its) => [
    { ...ME, ...mark },
    job('bash -c x', mark),
    its({ group: 9 }),
  ],
  'the background': (mark, its) => [
    { ...MUTE, ...mark },
    off('bash -c x', mark),
    off('bash', mark),
    its(),
  ],
  'a pty': (mark, its) => [{ ...ME, ...mark }, one('bash -c x', mark), its({ foreground: 7 })],
  'a pty with a shell': (mark, its) => [
    { ...ME, ...mark },
    one('bash -i', mark),
    its({ foreground: 7 }),
  ],
  'a pty that script made': (mark, its) => [
    { ...ME, ...mark },
    one('bash', mark),
    off('script -qc bash', mark),
    off('bash -c x', mark),
    its(),
  ],
  'a window of a tmux that it started': (mark, its) => [
    { ...ME, ...mark },
    one('bash', mark),
    off('script -qc tmux', mark),
    its(),
  ],
  'a subagent': (mark, its) => [{ ...MUTE, ...mark }, off('bash -c x', mark), its(), its()],
  'a sandbox': (mark, its) => [
    { ...MUTE, ...mark },
    off('bash -c x', mark),
    off('bwrap --unshare-net -- bash -c x', mark),
    its(),
  ],
  'an MCP server': (mark, its) => [{ ...MUTE, ...mark }, off('node /opt/server.js', mark), its()],
  'a hook': (mark, its) => [{ ...MUTE, ...mark }, off('sh -c hook', mark), its()],
  'sudo in its shell tool': (mark, its) => [
    { ...ME, ...mark },
    off('sudo agent-chat', { root: true, mine: false, mark: UNREADABLE }),
    off('bash -c x', mark),
    its(),
  ],
}

/** What an agent lives below. */
const PLACES: Record<string, Seen[]> = {
  'a terminal': [one('bash', { foreground: 7 }), KITTY, INIT],
  tmux: [one('-bash', { foreground: 7 }), TMUX, INIT],
  ssh: [one('-bash', { foreground: 7 }), SSHD, SSHD, INIT],
  'an editor’s terminal': [one(VSCODE, { foreground: 7 }), CODE, INIT],
  'a container': [one('bash', { foreground: 7, pid: 1, parent: 0 })],
}

describe.each(AGENTS.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  const its = (more: More = {}) => programOf(agent, { foreground: 7, ...more })
  test.each(Object.keys(RUNS))('is not the person by %s', (way) => {
    // `env -i` takes a mark away, and the agent itself is still above.
    for (const place of Object.values(PLACES))
      for (const mark of [undefined, ...agent.telling]) {
        const chain = [...(RUNS[way]?.({ mark }, its) ?? []), ...place]
        expect(judgeTree(chain)).toMatchObject({ is: 'agent', why: expect.any(String) })
      }
  })

  test.each(agent.telling)('is not the person by %s alone, once it is gone', (mark) => {
    const ways = [
      [{ ...MUTE, mark }, INIT],
      [{ ...MUTE, mark }, off('bash -c x', { mark }), INIT],
      [{ ...ME, mark }, one('bash', { mark }), off('script', { mark }), INIT],
      [{ ...ME, mark }, one('bash', { mark }), { ...TMUX, mark }, INIT],
      [{ ...ME, mark }, one('bash', { mark, parent: 0 })],
    ]
    for (const chain of ways) expect(judgeTree(chain).is).toBe('agent')
  })
})
