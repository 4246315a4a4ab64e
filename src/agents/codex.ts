import type { Agent } from './agent.ts'
import { toolsBy } from './calls.ts'
import { CODEX_QUEUE } from './codexQueue.ts'
import { PROGRAMS } from './programs.ts'

/** Options with which a user chooses the server that Codex talks to. */
const OWN_SERVER = /^--(remote|no-daemon)\b/

/**
 * Codex. By itself it shares one server between all its windows, whose hooks and commands then see
 * the first window's environment: each session gets a server of its own, on a socket. Commands run
 * in a sandbox that may write to the working directory alone, and in a login shell that resets
 * PATH: both are told otherwise.
 */
export const CODEX: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: PROGRAMS.codex,
  install: ['npm', 'install', '-g', '@openai/codex'],
  versions: { oldest: '0.169.0', tested: '0.169.0' },
  marks: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
  telling: ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'],
  launch: ({ home, socket, program, given }) => {
    if (given.some((word) => OWN_SERVER.test(word))) return { before: [], behind: [] }
    const settings = [
      `sandbox_workspace_write.writable_roots=${JSON.stringify([home])}`,
      'allow_login_shell=false',
    ]
    const listen = ['app-server', '--listen', `unix://${socket}`]
    return {
      before: [],
      behind: ['--remote', `unix://${socket}`],
      server: { socket, argv: [program, ...listen, ...settings.flatMap((text) => ['-c', text])] },
    }
  },
  hidesProcesses: true,
  sandbox: {
    file: 'config.toml',
    closed: /^\s*sandbox_mode\s*=\s*["']read-only["']/m,
    remedy: 'set sandbox_mode = "workspace-write"',
  },
  wake: 'queue',
  queue: CODEX_QUEUE,
  // It runs a call whose hook answers `ask`.
  ask: 'decision',
  // From `codex --help` of 0.169.0.
  resume: {
    words: (id) => ['resume', id],
    back: '-m/--model= --oss --local-provider= -C/--cd= --search --no-alt-screen --strict-config -s/--sandbox= -a/--ask-for-approval= --no-daemon --remote= --remote-auth-token-env= --disable=',
    asks: '-c/--config= --enable= -p/--profile= --add-dir= --approve-for-me --full-auto --yolo/--dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust',
    once: '-i/--image=* --last --all --include-non-interactive --worktree -h/--help -V/--version',
    lifts: /^(-s|--sandbox)=danger-full-access$|^(-a|--ask-for-approval)=never$/,
    modes: '-a/--ask-for-approval= -s/--sandbox= --yolo/--dangerously-bypass-approvals-and-sandbox',
    folder: { variable: 'CODEX_HOME', below: '.codex' },
    records: { folder: 'sessions', file: (id) => `-${id}.jsonl` },
  },
  hooks: {
    file: 'hooks.json',
    config: 'config.toml',
    directory: { variable: 'CODEX_HOME', below: '.codex' },
    events: [
      { event: 'SessionStart', word: 'session-start', timeout: 5 },
      { event: 'UserPromptSubmit', word: 'user-prompt-submit', timeout: 5 },
      { event: 'PreToolUse', word: 'pre-tool-use', timeout: 30 },
      { event: 'PermissionRequest', word: 'permission-request', timeout: 5 },
      { event: 'PostToolUse', word: 'post-tool-use', timeout: 5 },
      { event: 'SubagentStart', word: 'subagent-start', timeout: 5 },
      { event: 'Stop', word: 'stop', timeout: 5 },
      { event: 'Interrupt', word: 'stop', timeout: 5 },
      { event: 'SessionEnd', word: 'session-end', timeout: 5 },
    ],
    // From `core/src/tools/` of its source: a shell is `Bash` in a hook, all else has its own name.
    tools: toolsBy({
      Bash: 'Bash exec_command',
      Read: 'view_image read_file list_mcp_resources list_mcp_resource_templates read_mcp_resource',
      ...{ Glob: 'list_dir', Grep: 'grep_files', ListAgents: 'list_agents', GetGoal: 'get_goal' },
      ...{ TodoWrite: 'update_plan', AskUserQuestion: 'request_user_input' },
      ...{ ToolSearch: 'tool_search', WebSearch: 'web_search' },
    }),
    changes:
      'apply_patch multi_agent_v1 write_stdin spawn_agent send_input resume_agent close_agent wait_agent request_permissions create_goal update_goal',
    // Its record of a conversation has another form, and its modes mean something else.
    payload: ({ turn_id: prompt_id, transcript_path: _, permission_mode: __, ...rest }) => ({
      ...rest,
      prompt_id,
    }),
    // It rejects an answer that has any other field.
    answer: ({ hookEventName, additionalContext, ...said }, systemMessage) => {
      const { permissionDecision, permissionDecisionReason } = said
      const call = { permissionDecision, permissionDecisionReason }
      return {
        systemMessage,
        hookSpecificOutput: { hookEventName, additionalContext, ...call },
      }
    },
  },
  instructions: { file: 'AGENTS.md' },
  screen: {
    titles: { busy: /^[⠀-⣿] /, asking: /Action Required/ },
    ...{ foot: /\besc to interrupt\b/, signs: /esc to interrupt/i },
    ending: /again to (exit|quit)/,
  },
  lacks: {
    identity: 'with its first prompt: no hook runs before it',
    urgent: 'when the turn is over: typing into a turn would cut its answer',
    dialog: 'with a decision in your console: a call whose hook asks would run',
    join: 'start it with agent-chat: a server of its own cannot be added later',
  },
}
