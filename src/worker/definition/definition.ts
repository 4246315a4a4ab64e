/** What is wrong with a definition, in one line, and what to do. A warning keeps it usable. */
export type Finding = { level: 'error' | 'warning'; text: string; hint?: string }

/** Where a definition came from: the user's home, or a repository, which its human has to allow. */
export type Source = 'home' | 'repository'

/**
 * Where a definition is. `base`: the directory of the repository, which a relative `cwd` is below.
 * `userHome`: what `~` is.
 */
export type Place = { path: string; source: Source; base?: string | undefined; userHome: string }

/** What the front matter says, or its defaults. */
export type Settings = {
  /** As the client calls it; without it, the client's own choice. */
  model?: string
  /** Where the worker works, absolute. */
  cwd?: string
  autoStart: boolean
  persistent: boolean
  maxIdleSeconds: number
  /** How long one turn may take. */
  timeoutSeconds: number
  maxTurns?: number
  /** For one day. */
  budgetUsd?: number
  /** `tools`: the human's standing yes to the tools of the whitelist. */
  trust: 'ask' | 'tools'
  /** Five fields of cron, and the text of the task that each run is. */
  schedule?: string
  scheduledPrompt?: string
  capabilities: string[]
}

/** An agent as its markdown file defines it. */
export type Definition = Settings & {
  name: string
  path: string
  /** SHA-256 of the file, in hex. */
  hash: string
  source: Source
  title: string
  description: string
  /** The whitelist, as the client calls its tools. */
  tools: string[]
  /** The whitelist in its own words; `list` and `glob` are one tool of the client. */
  words: string[]
  /** Whether the client's Write may only make files: `create` is allowed and `write` is not. */
  createsOnly: boolean
  /** The system prompt. */
  prompt: string
}

/**
 * A definition that was found. `invalid`: it has errors. `not allowed`: of a repository, and its
 * human has not said yes. `changed`: it is not what they said yes to. `hidden`: another one has the
 * name. The others may be used.
 */
export type Listed = {
  name: string
  path: string
  source: Source
  status: 'valid' | 'warnings' | 'invalid' | 'not allowed' | 'changed' | 'hidden'
  findings: Finding[]
  definition?: Definition
}
