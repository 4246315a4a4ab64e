/** A key of nobody's; the client's first-run question about it is answered beforehand. */
const API_KEY = 'sk-ant-fake-0000'

/**
 * The whole environment of a client. Whatever is not here does not reach it: variables of a
 * surrounding session change what it does.
 */
export function cleanEnv(options: {
  home: string
  chat: string
  apiUrl: string
}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: options.home,
    AGENT_CHAT_HOME: options.chat,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ANTHROPIC_BASE_URL: options.apiUrl,
    ANTHROPIC_API_KEY: API_KEY,
  }
}

/** The text of `$HOME/.claude.json` that lets a client start without its first-run dialogs. */
export function claudeJson(cwd: string, trusted: boolean): string {
  const project = {
    hasTrustDialogAccepted: true,
    allowedTools: [],
    hasCompletedProjectOnboarding: true,
  }
  return JSON.stringify({
    hasCompletedOnboarding: true,
    theme: 'dark',
    numStartups: 5,
    customApiKeyResponses: { approved: [API_KEY], rejected: [] },
    projects: trusted ? { [cwd]: project } : {},
  })
}
