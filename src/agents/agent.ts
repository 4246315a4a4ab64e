/**
 * An agent: the program in a session. One constant of this type holds all that agent-chat knows of
 * it; the rooms above read it and name no agent.
 */
export type Agent = {
  /** The word behind `--agent`. */
  name: string
  /** What people call it. */
  title: string
  /** The names of its program; the first is the one that is started. */
  programs: readonly [string, ...string[]]
  /** Installs it. */
  install: readonly [string, ...string[]]
  /** The oldest version that is known to work, and the one that the tests run. */
  versions: { oldest: string; tested: string }
  /** Variables that it leaves in whatever it starts: no agent inherits another's. */
  marks: readonly string[]
  /** Those of them by which a command can tell that it was not typed by a person. */
  telling: readonly string[]
  launch: (request: AgentLaunch) => AgentStart
  /** Its commands run in a sandbox with a list of processes of its own. */
  hidesProcesses?: true
  /**
   * How it is woken. `files`: it watches its bell by itself, else by tmux. `queue`: its own server
   * queues a prompt. `host`: our extension in it sends a prompt. `input`: it reads
   * prompts from a file. `tmux`: the line is typed. A way that is missing is never replaced by another
   * one: the message waits, and `who` says why.
   */
  wake: 'files' | 'queue' | 'host' | 'input' | 'tmux'
  /** How its queue is spoken to, for an agent that `wake`s by one. */
  queue?: AgentQueue
  /**
   * What a hook does about a call that the human has to allow: the agent opens a `dialog` for it,
   * or the hook refuses and puts a `decision` to the human, for an agent that would run it.
   */
  ask: 'dialog' | 'decision'
  /** A hook's yes spares a call of ours the agent's own dialog. */
  takesYes?: true
  hooks?: AgentHooks
  /** How a conversation of its is gone on with; without it, a session comes back with a new one. */
  resume?: AgentResume
  instructions?: AgentInstructions
  /** A file, below its directory, that is agent-chat's alone: what it allows without a dialog. */
  policy?: { file: string; text: string }
  screen?: AgentScreen
  /**
   * A file of settings, below its directory, that may close its sandbox to our commands: what it
   * says then, and what the user does about that.
   */
  sandbox?: { file: string; closed: RegExp; remedy: string }
  /** What it cannot have, each with what happens instead. */
  lacks: Partial<Record<Ability, string>>
}

/** What a session can have. The order is that of the table in docs/agents.md. */
export const ABILITIES = {
  identity: 'is told its name at the start',
  wake: 'is woken when idle',
  urgent: 'is woken in a turn by an urgent message',
  state: 'shows whether it is busy',
  receipt: 'shows when a message was seen',
  unread: 'is told of unread messages with a prompt',
  gate: 'asks you before a message changes something',
  dialog: 'asks with a dialog of its own',
  peers: 'is told before a write of what a session beside it changed there',
  resume: 'comes back with its conversation after a crash',
  claims: 'is kept from what another session has claimed',
  join: 'can join while it runs',
} as const
export type Ability = keyof typeof ABILITIES

/**
 * `root`: where agent-chat is; `home`: where messages are; `socket`: a path for a server; `input`:
 * one for a file of prompts. `room`: whether it also gets the mod that shows the room, where it can
 * have one.
 */
export type AgentLaunch = {
  room: boolean
  root: string
  home: string
  socket: string
  input: string
  /** Its program, as the user calls it, and what they gave it as arguments. */
  program: string
  given: readonly string[]
}

/**
 * What is added to a command line: `before` the user's arguments and `behind` them. `server`: a
 * process that starts first, listens on the socket, and ends with the agent. `input`: the file that
 * it reads prompts from.
 */
export type AgentStart = {
  before: string[]
  behind: string[]
  server?: { argv: [string, ...string[]]; socket: string }
  input?: string
}

/** Hooks in a file of the agent's own. */
export type AgentHooks = {
  /** The file, below the agent's own directory. */
  file: string
  /** The file is agent-chat's alone, and begins with these fields. */
  own?: object
  /** The file is an extension of agent-chat's, which asks our hooks: its source, below our root. */
  source?: string
  /** What a command is in that file, where it is not as in Claude Code's. `timeout` in s. */
  entry?: (command: string, timeout: number) => object
  /** Its settings, where those say what hooks it trusts. */
  config?: string
  /**
   * The agent's directory: a variable that names it, else a path below the user's home, or below
   * another that a variable names. `.config` is where XDG_CONFIG_HOME says.
   */
  directory: { variable?: string; home?: string; below: string }
  /** Its events, the word that our hook program has for each, and how long that may take, in s. */
  events: readonly { event: string; word: string; timeout: number }[]
  /** The payload as Claude Code would give it. */
  payload: (payload: Record<string, unknown>) => Record<string, unknown>
  /**
   * Its tools by Claude Code's names. Any other is one that changes something; `changes` are those
   * of them that are known, with blanks between them.
   */
  tools: Record<string, string>
  changes: string
  /**
   * It tells of the results of its tools, and of what it goes on with by itself, as if the user had
   * submitted a prompt: in a turn, such an event is nobody's word.
   */
  tellsResults?: true
  /** What it takes as an answer: `said` for the model, or about a call, and a line for the human. */
  answer: (said: Said, human: string | undefined) => object
}

/** `hookSpecificOutput` as Claude Code takes it. */
export type Said = {
  hookEventName?: string
  additionalContext?: string
  permissionDecision?: string
  permissionDecisionReason?: string
  /** The directories of its bell, for an agent that is woken by a `host`. */
  watchPaths?: string[]
}

/**
 * A file that it reads at its start, and in which setup keeps a block of its own; or a `skill`, a
 * file that is agent-chat's alone.
 */
export type AgentInstructions = { file: string; skill?: true }

/**
 * What an agent may ask before its first prompt: whether to trust the folder, for a login, or the
 * questions of a first run.
 */
export type StartDialog = 'trust' | 'login' | 'setup'

export type AgentScreen = {
  /**
   * What its screen shows while it asks before its first prompt. The first one that fits counts;
   * borders and line ends are read as one blank.
   */
  dialogs?: readonly (readonly [dialog: StartDialog, shows: RegExp])[]
  /** A title of its pane that says a turn is under way, a dialog is open, or neither is. */
  titles?: { busy: RegExp; asking: RegExp; ready?: RegExp }
  /** What is on its screen while a turn is under way, and else never. */
  turn?: RegExp
  /** What the two lowest lines of its screen, where no conversation is, show in a turn. */
  foot?: RegExp
  /** What its screen shows in a turn, and perhaps behind one, among the words of a conversation. */
  signs?: RegExp
  /** What is below its box in a mode of its editor in which keys are commands, and in the other. */
  modes?: { commands: RegExp; insert: string }
  /** What is below its box when the next key would end it. */
  ending?: RegExp
  /** The lines above and below its input box. */
  rule?: RegExp
  /** What the box begins with, where that is none of the usual signs. */
  glyphs?: string
  /** What an empty box shows in its first row, where that is not dim. */
  placeholder?: string
  /**
   * Its Enter may act on the box as it was a moment before: the line goes in as one paste, so that
   * the box has all of it or nothing, and the box must be seen to have given it away.
   */
  paste?: true
}

/**
 * How a conversation is gone on with by its id, and which of the options that a session was started
 * with come back. A list has an option a word, its other names behind a `/`: `--model=` takes a
 * value, `--debug=?` may take one, `--tools=*` takes several. An option that no list has is left
 * out: nobody knows whether the next word is its value or a prompt.
 */
export type AgentResume = {
  words: (id: string) => string[]
  back: string
  /** They load code, or lift permissions: the person says yes to each session that has one. */
  asks: string
  /** They choose a conversation, or belong to one start, as what makes an end of it does. */
  once: string
  /** Options of `back`, as `--name=value`, that lift permissions. */
  lifts: RegExp
  /** The options that say its permission mode. */
  modes: string
  /** The variable that names its own configuration folder, and that folder below the user's home. */
  folder: { variable: string; below: string }
  /** Where the configuration keeps conversations, and how the path of the file of each ends. */
  records: { folder: string; file: (id: string) => string }
  /** A line of such a file, for an agent that goes on with none that lacks it. */
  answered?: RegExp
  /** A folder of the configuration's that has a file for each process, with its conversation. */
  running?: string
  /** Lists what it runs in the background, as JSON with a `sessionId` each. */
  lists?: readonly string[]
}

/** Asks the agent's server, and gives its answer. Rejects for an error of the server's. */
export type Call = (method: string, params: object) => Promise<unknown>

/** What one can do with the queue of an agent's own server. */
export type AgentQueue = {
  /** The first words on a connection; gives the version of the server, if it says so. */
  hello: (call: Call) => Promise<string | undefined>
  /** What the server is told then. */
  begun: string
  /** What it says when a turn begins, ends, or asks. */
  changed: string
  /** The conversation in front, or why there is none. `told`: the one that hooks told of last. */
  current: (
    call: Call,
    told: string | null,
  ) => Promise<{ id: string; activity: 'idle' | 'busy' | 'asking' } | string>
  queued: (call: Call, id: string) => Promise<{ id: string; text: string }[]>
  add: (call: Call, id: string, text: string, key: string) => Promise<void>
  /** Has a queue that waits go on, with this prompt. */
  start: (call: Call, id: string, queued: string) => Promise<void>
}
