import type { Rule } from './harness/api.ts'
import type { Pane } from './harness/pane.ts'
import { eventually } from './harness/poll.ts'
import { hears } from './harness/request.ts'
import type { StartOptions, World } from './harness/world.ts'

/**
 * A state of the client and the way to it. `name`: the file under `src/doorbell/screens/` that
 * holds its screen.
 */
export interface State {
  name: string
  reach(pane: Pane, world: World): Promise<unknown>
  start?: StartOptions
  before?(world: World): Promise<unknown>
  trusted?: boolean
  /** It goes by itself after a moment: a look that comes too late makes it again. */
  fades?: boolean
  /** The working directory is a git repository: only there the client suggests a first prompt. */
  git?: boolean
  /** The client suggests prompts, the first one and the next one after a turn. */
  suggest?: boolean
}

const RING = 'New message from @backend. Check inbox.'
const VIM: StartOptions = { settings: { editorMode: 'vim' } }
export const SUGGESTIONS = { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'true' }

const question = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}

export const rule: Rule = (request) => {
  if (hears(request, 'SUGGESTION MODE')) return { text: 'run the tests now' }
  if (hears(request, 'take your time')) return { blocks: [{ text: 'done' }], delayMs: 60_000 }
  if (hears(request, 'make a file'))
    return { tool: 'Bash', input: { command: 'touch made', description: 'Make a file' } }
  if (hears(request, 'wait in a shell'))
    return { tool: 'Bash', input: { command: 'sleep 20', description: 'Wait' } }
  if (hears(request, 'stay behind')) {
    return {
      tool: 'Bash',
      input: { command: 'sleep 20', description: 'Wait', run_in_background: true },
    }
  }
  if (hears(request, 'ask me')) return { tool: 'AskUserQuestion', input: { questions: [question] } }
  return { text: 'fine' }
}

const idle = (pane: Pane) => pane.waitFor(/manual mode on/)

async function ask(pane: Pane, prompt: string, until: RegExp): Promise<void> {
  await idle(pane)
  await pane.submit(prompt)
  await pane.waitFor(until)
}

async function typeKeys(pane: Pane, text: string, until: RegExp, ...keys: string[]): Promise<void> {
  await idle(pane)
  await pane.type(text)
  await pane.waitFor(until)
  for (const key of keys) await pane.key(key)
}

/** A terminal that reports its focus, and has none: nobody is attached. */
async function reportFocus(world: World): Promise<void> {
  await world.tmux.newSession({ argv: ['sleep', '600'] })
  await world.tmux.tmux('set', '-g', 'focus-events', 'on')
}

async function noCaret(pane: Pane): Promise<void> {
  await idle(pane)
  await eventually(
    'the caret to go',
    async () => !(await pane.screen({ escapes: true })).includes('\x1b[7m'),
  )
}

export const STATES: readonly State[] = [
  { name: 'idle', reach: idle },
  { name: 'idle-after-turn', reach: (pane) => ask(pane, 'hello', /● fine/) },
  { name: 'idle-named', start: { args: ['--name', 'frontend'] }, reach: idle },
  { name: 'idle-narrow', start: { width: 40 }, reach: idle },
  { name: 'idle-wide', start: { width: 220 }, reach: idle },
  { name: 'idle-unfocused', before: reportFocus, reach: noCaret },
  {
    name: 'idle-first-suggestion',
    git: true,
    suggest: true,
    reach: (pane) => pane.waitFor(/Try "/),
  },
  {
    name: 'idle-suggestion',
    suggest: true,
    reach: async (pane) => {
      await ask(pane, 'hello', /● fine/)
      await ask(pane, 'and again', /● fine[\s\S]*● fine/)
      await pane.waitFor(/run the tests now/)
    },
  },
  { name: 'draft', reach: (pane) => typeKeys(pane, 'half a thought', /half a thought/) },
  { name: 'draft-caret-on-letter', reach: (pane) => typeKeys(pane, 'x', /❯\s+x/, 'Left') },
  { name: 'draft-spaces', reach: (pane) => typeKeys(pane, '   ', /manual mode on *\n/) },
  { name: 'draft-ring', reach: (pane) => typeKeys(pane, RING, /inbox\./) },
  {
    name: 'draft-ring-narrow',
    start: { width: 40 },
    reach: (pane) => typeKeys(pane, RING, /inbox\./),
  },
  {
    name: 'draft-lines',
    reach: async (pane) => {
      await typeKeys(pane, 'first line\\', /line\\/, 'Enter')
      await pane.type('second line')
      await pane.waitFor(/second line/)
    },
  },
  {
    name: 'draft-last-line-empty',
    reach: (pane) => typeKeys(pane, 'first line\\', /line\\/, 'Enter'),
  },
  { name: 'draft-empty-lines', reach: (pane) => typeKeys(pane, '\\', /\\/, 'Enter') },
  {
    name: 'draft-pasted',
    reach: async (pane, world) => {
      await idle(pane)
      await world.tmux.tmux(
        'set-buffer',
        Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n'),
      )
      await world.tmux.tmux('paste-buffer', '-p', '-t', pane.id)
      await pane.waitFor(/Pasted text/)
    },
  },
  { name: 'busy', reach: (pane) => ask(pane, 'take your time', /esc to interrupt/) },
  {
    name: 'busy-draft',
    reach: async (pane) => {
      await ask(pane, 'take your time', /esc to interrupt/)
      await pane.type('meanwhile')
    },
  },
  {
    name: 'busy-queued',
    reach: async (pane) => {
      await ask(pane, 'take your time', /esc to interrupt/)
      await pane.submit('and then this')
      await pane.waitFor(/edit queued/)
    },
  },
  {
    name: 'busy-tool',
    start: { args: ['--allowedTools', 'Bash'] },
    reach: (pane) => ask(pane, 'wait in a shell', /Bash\(|Wait|Running/),
  },
  { name: 'permission', reach: (pane) => ask(pane, 'make a file', /Do you want/) },
  { name: 'question', reach: (pane) => ask(pane, 'ask me', /Which colour/) },
  {
    name: 'question-own-answer',
    reach: async (pane) => {
      await ask(pane, 'ask me', /Which colour/)
      await pane.key('Down')
      await pane.key('Down')
      await pane.waitFor(/❯ 3\./)
    },
  },
  { name: 'model-picker', reach: (pane) => ask(pane, '/model', /Select model/) },
  { name: 'settings', reach: (pane) => ask(pane, '/config', /to switch tabs/) },
  {
    name: 'history-search',
    reach: async (pane) => [
      await idle(pane),
      await pane.key('C-r'),
      await pane.waitFor(/⌕|No history/),
    ],
  },
  {
    name: 'rewind',
    reach: async (pane) => [
      await ask(pane, 'hello', /● fine/),
      await pane.key('Escape'),
      await pane.key('Escape'),
      await pane.waitFor(/current/),
    ],
  },
  { name: 'typeahead', reach: (pane) => typeKeys(pane, '/mod', /model/) },
  { name: 'help', reach: (pane) => typeKeys(pane, '?', /for shell mode/) },
  { name: 'shell-mode', reach: (pane) => typeKeys(pane, '!', /for shell mode/) },
  {
    name: 'transcript',
    reach: async (pane) => [
      await ask(pane, 'hello', /● fine/),
      await pane.key('C-o'),
      await pane.waitFor(/detailed transcript/),
    ],
  },
  {
    name: 'task-selected',
    start: { args: ['--allowedTools', 'Bash'] },
    reach: async (pane) => {
      // While the turn goes on, the key is lost.
      await ask(pane, 'stay behind', /· done [\s\S]*↓ to manage/)
      await pane.key('Down')
      await pane.waitFor(/enter to view/)
    },
  },
  {
    name: 'stashed',
    reach: async (pane) => [
      await typeKeys(pane, 'for later', /for later/, 'C-s'),
      await pane.waitFor(/stashed/),
    ],
  },
  {
    name: 'ctrl-c-once',
    fades: true,
    reach: async (pane) => [
      await idle(pane),
      await pane.key('C-c'),
      await pane.waitFor(/again to exit/),
    ],
  },
  { name: 'trust', trusted: false, reach: (pane) => pane.waitFor(/trust/) },
  { name: 'vim-insert', start: VIM, reach: (pane) => pane.waitFor(/-- INSERT --/) },
  {
    name: 'vim-normal',
    start: VIM,
    reach: async (pane) => [
      await pane.waitFor(/-- INSERT --/),
      await pane.key('Escape'),
      await pane.waitFor((screen) => !screen.includes('INSERT')),
    ],
  },
  {
    name: 'vim-normal-draft',
    start: VIM,
    reach: async (pane) => {
      await typeKeys(pane, 'some words', /some words/, 'Escape')
      await pane.waitFor((screen) => !screen.includes('INSERT'))
    },
  },
  {
    name: 'vim-visual',
    start: VIM,
    reach: async (pane) => {
      await pane.waitFor(/-- INSERT --/)
      await pane.key('Escape')
      await pane.waitFor((screen) => !screen.includes('INSERT'))
      await pane.type('v')
      await pane.waitFor(/VISUAL/)
    },
  },
  {
    name: 'agents-view',
    reach: async (pane) => [
      await idle(pane),
      await pane.key('Left'),
      await pane.waitFor(/describe a task/),
    ],
  },
  {
    name: 'ended',
    start: { thenShell: true, env: { PS1: 'dev$ ' } },
    reach: async (pane) => {
      await idle(pane)
      await pane.submit('/exit')
      await pane.waitFor(/dev\$/)
    },
  },
]
