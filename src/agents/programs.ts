/**
 * The programs of each agent, by its name; the first is the one that is started. Apart from the rest
 * of what is known of an agent: every hook of a tool call asks this.
 */
export const PROGRAMS = {
  claude: ['claude'],
  codex: ['codex'],
  opencode: ['opencode'],
  gemini: ['gemini'],
  copilot: ['copilot'],
  pi: ['pi'],
  qwen: ['qwen'],
  kilo: ['kilo', 'kilocode'],
} as const satisfies Record<string, readonly [string, ...string[]]>

/** The name of the agent whose program this is, by its name or its path. */
export function agentNameOfProgram(program: string | undefined): string | undefined {
  const word = program?.split('/').at(-1)
  if (word === undefined) return undefined
  return Object.entries<readonly string[]>(PROGRAMS).find(([, words]) => words.includes(word))?.[0]
}

/** The name of the agent that a process is; one that Node runs is told by its file. */
export function agentNameOfProcess(
  command: string,
  args: () => string[] | undefined,
): string | undefined {
  if (!/^(node|MainThread|bun)/.test(command)) return agentNameOfProgram(command)
  return agentNameOfProgram(
    args()
      ?.slice(1)
      .find((word) => !word.startsWith('-')),
  )
}

/** Agents whose own server, one for all their windows, runs the commands of each. */
export const SHARES_SERVER: readonly string[] = ['codex']
