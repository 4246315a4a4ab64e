import type { Agent, AgentHooks } from './agent.ts'
import { asClaudeCall, EXTENSION_TOOLS, forExtension, toolsBy } from './calls.ts'
import { PROGRAMS } from './programs.ts'

/** What our plugin needs, in OpenCode and in what is made from it. */
export const OPENCODE_HOOKS: AgentHooks = {
  file: 'plugin/agent-chat.js',
  source: 'hosts/opencode.js',
  directory: { below: '.config/opencode' },
  events: [],
  payload: asClaudeCall,
  // From `packages/opencode/src/tool/` of its source.
  tools: {
    ...EXTENSION_TOOLS,
    ...toolsBy({
      ...{ Glob: 'glob list', Task: 'task', TodoWrite: 'todowrite todoread', Read: 'invalid' },
      ...{ AskUserQuestion: 'question', EnterPlanMode: 'plan_enter', ExitPlanMode: 'plan_exit' },
      ...{ WebFetch: 'webfetch', WebSearch: 'websearch codesearch' },
    }),
  },
  changes: 'apply_patch patch multiedit skill lsp batch',
  // Its plugin has no place for a line to the person.
  answer: (said) => forExtension(said),
}

/** OpenCode. A plugin of ours runs in it: that asks our hooks, and rings. No port is opened. */
export const OPENCODE: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: PROGRAMS.opencode,
  install: ['npm', 'install', '-g', 'opencode-ai'],
  versions: { oldest: '1.18.33', tested: '1.18.33' },
  marks: ['OPENCODE', 'OPENCODE_PID', 'OPENCODE_RUN_ID', 'OPENCODE_PROCESS_ROLE'],
  telling: ['OPENCODE'],
  launch: () => ({ before: [], behind: [] }),
  wake: 'host',
  // Its plugins cannot open a dialog.
  ask: 'decision',
  hooks: OPENCODE_HOOKS,
  instructions: { file: 'skills/agent-chat/SKILL.md', skill: true },
  lacks: {
    dialog: 'with a decision in your console: its plugins cannot open a dialog',
    resume: 'starts with a new conversation; with its last one by hand: --continue',
    join: 'start it with agent-chat: its commands do not tell which agent has run them',
  },
}
