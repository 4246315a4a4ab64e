import type { Agent } from './agent.ts'
import { asClaudeCall, EXTENSION_TOOLS, forExtension } from './calls.ts'
import { PROGRAMS } from './programs.ts'

/** pi. An extension of ours runs in it: that asks our hooks, and rings. */
export const PI: Agent = {
  name: 'pi',
  title: 'pi',
  programs: PROGRAMS.pi,
  install: ['npm', 'install', '-g', '@earendil-works/pi-coding-agent'],
  versions: { oldest: '0.74.2', tested: '0.74.2' },
  marks: ['PI_CODING_AGENT'],
  telling: ['PI_CODING_AGENT'],
  launch: () => ({ before: [], behind: [] }),
  wake: 'host',
  ask: 'dialog',
  hooks: {
    file: 'extensions/agent-chat.js',
    source: 'hosts/pi.js',
    directory: { variable: 'PI_CODING_AGENT_DIR', below: '.pi/agent' },
    events: [],
    payload: asClaudeCall,
    // From `dist/core/tools/` of its package.
    tools: { ...EXTENSION_TOOLS, find: 'Glob', ls: 'Glob' },
    changes: '',
    answer: forExtension,
  },
  instructions: { file: 'AGENTS.md' },
  lacks: {
    urgent: 'when the turn is over: what our extension sends in a turn waits for its end',
    resume: 'starts with a new conversation: nobody has tried its own way yet',
    join: 'start it with agent-chat: its commands do not tell which agent has run them',
  },
}
