import type { Agent } from './agent.ts'
import { asClaudeCall, toolsBy } from './calls.ts'
import { PROGRAMS } from './programs.ts'

/** GitHub Copilot CLI. No way to wake it but the keyboard; its hooks say what it is doing. */
export const COPILOT: Agent = {
  name: 'copilot',
  title: 'Copilot CLI',
  programs: PROGRAMS.copilot,
  install: ['npm', 'install', '-g', '@github/copilot'],
  versions: { oldest: '1.0.102', tested: '1.0.102' },
  marks: [
    'COPILOT_CLI',
    'COPILOT_CLI_BINARY_VERSION',
    'COPILOT_CLI_RESOLVED_DIST_DIR',
    'COPILOT_LOADER_PID',
    'COPILOT_HOOK_DIR',
    'COPILOT_PROJECT_DIR',
  ],
  telling: ['COPILOT_CLI', 'COPILOT_LOADER_PID'],
  launch: () => ({ before: [], behind: [] }),
  wake: 'tmux',
  ask: 'dialog',
  takesYes: true,
  hooks: {
    file: 'hooks/agent-chat.json',
    own: { version: 1 },
    directory: { variable: 'COPILOT_HOME', below: '.copilot' },
    events: [
      { event: 'sessionStart', word: 'session-start', timeout: 5 },
      { event: 'userPromptSubmitted', word: 'user-prompt-submit', timeout: 5 },
      { event: 'preToolUse', word: 'pre-tool-use', timeout: 5 },
      { event: 'postToolUse', word: 'post-tool-use', timeout: 5 },
      { event: 'notification', word: 'notification', timeout: 5 },
      { event: 'agentStop', word: 'stop', timeout: 5 },
    ],
    entry: (bash, timeoutSec) => ({ type: 'command', bash, timeoutSec }),
    payload: ({ sessionId, timestamp, toolName, toolArgs, source, transcriptPath: _, ...rest }) =>
      asClaudeCall({
        ...rest,
        session_id: sessionId,
        prompt_id: String(timestamp),
        // Of a session: `new` and the like; a prompt is the user's.
        ...(source === undefined ? {} : { source: 'startup' }),
        ...(toolName === undefined ? {} : { tool_name: toolName, tool_input: toolArgs }),
      }),
    // As its hooks and its own list of tools name them.
    tools: toolsBy({
      ...{ Bash: 'bash', Write: 'create', Edit: 'edit', Grep: 'grep', Glob: 'glob' },
      Read: 'view read_bash list_bash read_agent list_agents fetch_copilot_cli_documentation',
      ...{ WebFetch: 'web_fetch', WebSearch: 'web_search', AskUserQuestion: 'ask_user' },
      TodoWrite: 'report_intent update_todo',
    }),
    changes:
      'write_bash stop_bash task skill apply_patch store_memory sql session_store_sql write_agent exit_plan_mode',
    answer: ({ hookEventName: _, ...said }) => said,
  },
  instructions: { file: 'copilot-instructions.md' },
  screen: {
    dialogs: [['trust', /Do you trust the files in this folder\?/]],
    // Without its box it is starting: the terminal echoes what is typed, and then the box has it, too.
    rule: /^─+$/,
    turn: /\besc esc\b|\bWorking\b.*\besc\b/,
  },
  lacks: {
    identity: 'with its first prompt: no hook runs before it',
    urgent: 'when the turn is over: nothing is typed into a turn',
    resume: 'starts with a new conversation; with its last one by hand: --continue',
    join: 'start it with agent-chat: its commands do not tell which agent has run them',
  },
}
