import type { Agent } from './agent.ts'
import { asClaudeCall } from './calls.ts'
import { GEMINI } from './gemini.ts'

/** Qwen Code. It reads prompts from a file; its hooks are Claude Code's in Gemini CLI's settings. */
export const QWEN: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
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
  // Whether a hook's `ask` opens its dialog in every mode is not known.
  ask: 'decision',
  hooks: {
    file: 'settings.json',
    directory: { below: '.qwen' },
    events: [
      { event: 'SessionStart', word: 'session-start', timeout: 5 },
      { event: 'UserPromptSubmit', word: 'user-prompt-submit', timeout: 5 },
      { event: 'PreToolUse', word: 'pre-tool-use', timeout: 30 },
      { event: 'PermissionRequest', word: 'permission-request', timeout: 5 },
      { event: 'PostToolUse', word: 'post-tool-use', timeout: 5 },
      { event: 'Stop', word: 'stop', timeout: 5 },
    ],
    entry: (command, s) => ({
      hooks: [{ type: 'command', name: 'agent-chat', command, timeout: s * 1000 }],
    }),
    payload: ({ transcript_path: _, permission_mode: __, timestamp, ...rest }) => ({
      ...asClaudeCall(rest),
      prompt_id: timestamp,
    }),
    tools: { ...GEMINI.hooks?.tools, edit: 'Edit', todo_write: 'TodoWrite' },
    answer: ({ watchPaths: _, ...said }, systemMessage) => ({
      systemMessage,
      hookSpecificOutput: said,
    }),
  },
  instructions: { file: 'QWEN.md' },
  lacks: {
    urgent: 'when the turn is over: it takes a prompt from its file when it is idle',
    dialog: 'with a decision in your console',
    join: 'start it with agent-chat: it reads its file of prompts from the start',
  },
}
