import type { Agent } from './agent.ts'

/** Claude Code: the plugin brings its hooks, its skill and its commands. */
export const CLAUDE: Agent = {
  name: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
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
    before: ['--plugin-dir', root, ...(room ? ['--plugin-dir', `${root}/room`] : [])],
    behind: [],
  }),
  wake: 'files',
  ask: 'dialog',
  screen: {
    foot: /\besc to interrupt\b/,
    // Or its spinner with a word and an ellipsis: `✶ Pouncing…`.
    signs: /esc to interrupt|^\s*\S \p{L}[\p{L} '-]*…/imu,
    modes: { commands: /-- (NORMAL|VISUAL|V-LINE|VISUAL LINE|REPLACE)/, insert: '-- INSERT --' },
    ending: /again to exit/,
  },
  lacks: {},
}
