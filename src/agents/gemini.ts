import type { Agent } from './agent.ts'
import { ALLOWED } from './allowed.ts'
import { asClaudeCall, toolsBy } from './calls.ts'
import { PROGRAMS } from './programs.ts'

/** Gemini CLI. Nothing native wakes it; its pane's title says what it is doing. */
export const GEMINI: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: PROGRAMS.gemini,
  install: ['npm', 'install', '-g', '@google/gemini-cli'],
  versions: { oldest: '0.61.0', tested: '0.61.0' },
  marks: ['GEMINI_CLI', 'GEMINI_SESSION_ID', 'GEMINI_PROJECT_DIR', 'GEMINI_CLI_NO_RELAUNCH'],
  telling: ['GEMINI_CLI', 'GEMINI_SESSION_ID'],
  launch: () => ({ before: [], behind: [] }),
  wake: 'tmux',
  sandbox: {
    file: 'settings.json',
    closed: /"sandbox"\s*:\s*(true|")/,
    remedy: 'remove "sandbox": the directory of messages is not in it',
  },
  // Its dialog opens in every mode.
  ask: 'dialog',
  hooks: {
    file: 'settings.json',
    directory: { home: 'GEMINI_CLI_HOME', below: '.gemini' },
    events: [
      { event: 'SessionStart', word: 'session-start', timeout: 5 },
      { event: 'BeforeAgent', word: 'user-prompt-submit', timeout: 5 },
      { event: 'BeforeTool', word: 'pre-tool-use', timeout: 5 },
      { event: 'AfterTool', word: 'post-tool-use', timeout: 5 },
      { event: 'Notification', word: 'notification', timeout: 5 },
      { event: 'AfterAgent', word: 'stop', timeout: 5 },
    ],
    entry: (command, s) => ({
      hooks: [{ type: 'command', name: 'agent-chat', command, timeout: s * 1000 }],
    }),
    payload: ({ transcript_path: _, timestamp, ...rest }) => ({
      ...asClaudeCall(rest),
      // Every prompt begins a turn: those that are typed in one wait for its end.
      prompt_id: timestamp,
      notification_type: rest.notification_type === 'ToolPermission' ? 'permission_prompt' : '',
    }),
    // From the names of tools in its bundle.
    tools: toolsBy({
      ...{ Bash: 'run_shell_command', Write: 'write_file', Edit: 'replace' },
      Read: 'read_file read_many_files list_background_processes read_background_output list_mcp_resources read_mcp_resource get_internal_docs',
      ...{ Glob: 'list_directory glob', Grep: 'grep_search' },
      ...{ WebSearch: 'google_web_search', WebFetch: 'web_fetch', AskUserQuestion: 'ask_user' },
      TodoWrite: 'write_todos update_topic',
      ...{ TaskCreate: 'tracker_create_task', TaskGet: 'tracker_get_task' },
      TaskUpdate: 'tracker_update_task tracker_add_dependency',
      TaskList: 'tracker_list_tasks tracker_visualize',
      ...{ EnterPlanMode: 'enter_plan_mode', ExitPlanMode: 'exit_plan_mode' },
      SubagentHandback: 'complete_task',
    }),
    changes: 'activate_skill invoke_agent take_snapshot save_memory',
    answer: ({ hookEventName, additionalContext, ...said }, systemMessage) =>
      said.permissionDecision
        ? {
            decision: said.permissionDecision,
            reason: said.permissionDecisionReason,
            // Its dialog shows this.
            systemMessage: said.permissionDecisionReason,
          }
        : { systemMessage, hookSpecificOutput: { hookEventName, additionalContext } },
  },
  instructions: { file: 'GEMINI.md' },
  policy: {
    file: 'policies/agent-chat.toml',
    text: `[[rule]]
toolName = "run_shell_command"
commandPrefix = ${JSON.stringify(ALLOWED)}
decision = "allow"
priority = 100
`,
  },
  screen: {
    titles: { busy: /^\S+ +Working…/, asking: /^\S+ +Action Required/, ready: /^◇ +Ready/ },
    rule: /^(▄+|▀+)$/,
    glyphs: '>*',
    placeholder: 'Type your message or @path/to/file',
    // It draws a new text before its handler of keys knows of it: an Enter in between, which a busy
    // machine makes long, submits the text before.
    paste: true,
  },
  lacks: {
    urgent: 'when the turn is over: a line that is typed in a turn waits for its end',
    resume: 'starts with a new conversation; with its last one by hand: --resume latest',
    join: 'start it with agent-chat: its commands do not tell which agent has run them',
  },
}
