import type { Agent } from './agent.ts'
import { MAIL_RULES } from './allowed.ts'
import { PROGRAMS } from './programs.ts'

/** Claude Code: the plugin brings its hooks, its skill and its commands. */
export const CLAUDE: Agent = {
  name: 'claude',
  title: 'Claude Code',
  programs: PROGRAMS.claude,
  install: ['npm', 'install', '-g', '@anthropic-ai/claude-code'],
  versions: { oldest: '2.1.0', tested: '2.1.329' },
  marks: [
    'AI_AGENT',
    'CLAUDECODE',
    'CLAUDE_CODE_CHILD_NOTES_DIR',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_EXECPATH',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_EFFORT',
    'CLAUDE_ENV_FILE',
    'CLAUDE_PID',
    'CLAUDE_PLUGIN_DATA',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_PROJECT_DIR',
  ],
  telling: ['CLAUDECODE', 'CLAUDE_PID', 'CLAUDE_CODE_SESSION_ID', 'AI_AGENT'],
  launch: ({ root, room }) => ({
    // The rules come first: they would take a prompt behind them for one more rule.
    before: [
      ...['--allowedTools', ...MAIL_RULES, '--plugin-dir', root],
      ...(room ? ['--plugin-dir', `${root}/room`] : []),
    ],
    behind: [],
  }),
  wake: 'files',
  ask: 'dialog',
  // From `claude --help` of 2.1.329.
  resume: {
    words: (id) => ['--resume', id],
    back: '--add-dir=* --allowedTools/--allowed-tools=* --agent= --append-system-prompt= --append-system-prompt-file= --autocompact= --ax-screen-reader --bare --betas=* --brief --chrome --no-chrome -d/--debug=? --debug-file= --disable-slash-commands --disallowedTools/--disallowed-tools=* --effort= --exclude-dynamic-system-prompt-sections --fallback-model= --ide --model= -n/--name= --permission-mode= --prompt-suggestions=? --restricted --safe-mode --strict-mcp-config --system-prompt= --system-prompt-file= --system-prompt-snapshot= --tools=* --verbose',
    asks: '--agents= --allow-dangerously-skip-permissions --dangerously-skip-permissions --channels=* --dangerously-load-development-channels=* --mcp-config=* --permission-prompt-tool= --permission-prompts= --plugin-dir= --plugin-url= --remote-control=? --remote-control-session-name-prefix= --setting-sources= --settings=',
    once: '-c/--continue -r/--resume=? --session-id= --fork-session --from-pr=? --teleport=? --cloud=? --desktop --environment= --file=* --tmux -w/--worktree=? --no-session-persistence -p/--print --bg/--background -h/--help -v/--version',
    // Our own commands judge themselves.
    lifts:
      /^--permission-mode=(?!(default|manual|plan|auto|dontAsk)$)|^--allowed(Tools|-tools)=(?!Bash\(agent-chat[^),]*\)$)/,
    modes: '--permission-mode= --dangerously-skip-permissions',
    folder: { variable: 'CLAUDE_CONFIG_DIR', below: '.claude' },
    records: { folder: 'projects', file: (id) => `/${id}.jsonl` },
    answered: /"type":"assistant"/,
    running: 'sessions',
    lists: ['agents', '--json'],
  },
  screen: {
    dialogs: [
      ['trust', /Yes, I trust this folder|Do you trust the files in this folder\?/],
      ['login', /Select login method|Paste code here if prompted|Login successful\. Press Enter/],
      [
        'setup',
        /Choose the text style|Security notes:|Do you want to use this API key\?|Yes, I accept|Press Enter to continue|new MCP servers? found in this project|Use Claude Code's terminal setup\?/i,
      ],
    ],
    foot: /\besc to interrupt\b/,
    // Or its spinner with a word and an ellipsis: `✶ Pouncing…`.
    signs: /esc to interrupt|^\s*\S \p{L}[\p{L} '-]*…/imu,
    modes: { commands: /-- (NORMAL|VISUAL|V-LINE|VISUAL LINE|REPLACE)/, insert: '-- INSERT --' },
    ending: /again to exit/,
  },
  lacks: {},
}
