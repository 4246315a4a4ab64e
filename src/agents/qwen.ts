import type { Agent, Said } from './agent.ts'
import { asClaudeCall, toolsBy } from './calls.ts'
import { GEMINI } from './gemini.ts'
import { PROGRAMS } from './programs.ts'

/** Characters that may stand behind a backslash in a path: it takes that away before a call runs. */
const ESCAPED = /\\([ \t()[\]{};|*?$`'"#&<>!~])/g
const PATHS = ['file_path', 'path', 'filePath', 'notebook_path']

/**
 * Qwen Code. It reads prompts from a file; its hooks are Claude Code's in Gemini CLI's settings.
 * Its own dialog opens before PreToolUse, and after PermissionRequest: the gate judges at both.
 */
export const QWEN: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  programs: PROGRAMS.qwen,
  install: ['npm', 'install', '-g', '@qwen-code/qwen-code'],
  versions: { oldest: '0.15.10', tested: '0.15.10' },
  marks: ['QWEN_CODE', 'QWEN_SESSION_ID', 'QWEN_PROJECT_DIR'],
  telling: ['QWEN_CODE', 'QWEN_SESSION_ID'],
  launch: ({ input, given }) =>
    given.some((word) => word.startsWith('--input-file'))
      ? { before: [], behind: [] }
      : { before: [], behind: ['--input-file', input], input },
  wake: 'input',
  ...(GEMINI.sandbox ? { sandbox: GEMINI.sandbox } : {}),
  // A hook's `ask` refuses the call: its dialog has been answered by then, or none has opened.
  ask: 'decision',
  takesYes: true,
  hooks: {
    file: 'settings.json',
    directory: { below: '.qwen' },
    events: [
      { event: 'SessionStart', word: 'session-start', timeout: 5 },
      { event: 'UserPromptSubmit', word: 'user-prompt-submit', timeout: 5 },
      { event: 'PreToolUse', word: 'pre-tool-use', timeout: 30 },
      { event: 'PermissionRequest', word: 'early-tool-use', timeout: 30 },
      { event: 'PostToolUse', word: 'post-tool-use', timeout: 5 },
      // Of its dialogs, and that it is idle: also after Escape, where Stop does not come. Stop comes
      // before it takes a prompt, and where it then goes on by itself.
      { event: 'Notification', word: 'notification', timeout: 30 },
    ],
    entry: (command, s) => ({
      hooks: [{ type: 'command', name: 'agent-chat', command, timeout: s * 1000 }],
    }),
    tellsResults: true,
    payload: ({ transcript_path: _, permission_mode: __, timestamp, tool_input, ...rest }) => ({
      ...asClaudeCall({ ...rest, tool_input: asItRuns(tool_input) }),
      told_at: timestamp,
    }),
    // From `ToolNames` in its bundle.
    tools: {
      ...GEMINI.hooks?.tools,
      ...toolsBy({
        ...{ Edit: 'edit', TodoWrite: 'todo_write', AskUserQuestion: 'ask_user_question' },
        ...{ ToolSearch: 'tool_search', StructuredOutput: 'structured_output' },
        ...{ CronList: 'cron_list', CronCreate: 'cron_create', CronDelete: 'cron_delete' },
        ...{ TaskStop: 'task_stop', SendMessage: 'send_message' },
      }),
    },
    changes: 'save_memory agent skill lsp monitor',
    answer: ({ watchPaths: _, ...said }, systemMessage) => ({
      systemMessage,
      hookSpecificOutput: { ...said, ...decisionOf(said) },
    }),
  },
  instructions: { file: 'QWEN.md' },
  lacks: {
    urgent: 'when the turn is over: it takes a prompt from its file when it is idle',
    dialog: 'with a decision in your console',
    resume: 'starts with a new conversation: nobody has tried its own way yet',
    join: 'start it with agent-chat: it reads its file of prompts from the start',
  },
}

/** An answer as PermissionRequest takes it; PreToolUse reads the other fields. */
function decisionOf({ permissionDecision: behavior, permissionDecisionReason: message }: Said) {
  return behavior === undefined ? {} : { decision: { behavior, message } }
}

function asItRuns(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      PATHS.includes(key) && typeof value === 'string'
        ? value.trim().replace(ESCAPED, '$1')
        : value,
    ]),
  )
}
