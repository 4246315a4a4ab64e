import type { Command } from 'commander'
import { verbs } from '../../message/verbs.ts'
import { addCommand, TOPICS } from '../command.ts'
import type { Ports } from '../ports.ts'
import { helpOfAll } from '../render/verbList.ts'

type Topic = (typeof TOPICS)[number]

/** Each topic as rows: a code or a variable, and what it means. */
const ROWS: Record<Topic, [string, string][]> = {
  'exit-codes': [
    ['0', 'success; an empty inbox is one'],
    ['1', 'a bug in agent-chat; a disk error in the home; an unhealthy worker; a wrong definition'],
    ['2', 'bad usage or input; a task that has ended; a message that is not yours to answer'],
    ['3', 'blocked by the guardrails: the error names the rule, the hint says what to do instead'],
    ['4', 'no such session, message, task, agent, schedule or machine; or the session is gone'],
    ['5', 'timed out, or no answer'],
    ['6', 'not inside a session, and not at a terminal'],
    ['7', 'a program is missing, or too old'],
    ['8', 'the name is taken'],
    ['9', 'a message for another machine has not arrived in time: it stays queued'],
    ['10', 'the other machine refuses the link or the message'],
    ['130', 'ask was ended by Ctrl-C'],
  ],
  environment: [
    [
      'AGENT_CHAT_HOME',
      'the home, as an absolute path, instead of ~/agent-chat; sessions see each other only in the same home',
    ],
    ['AGENT_CHAT_NAME', 'the name of this session; agent-chat start sets it'],
    ['AGENT_CHAT_CMD', 'the agent that agent-chat start runs instead of Claude Code, like --cmd'],
    ['AGENT_CHAT_DOORBELL', 'auto (default), native, tmux or stdout'],
    ['AGENT_CHAT_GATE', 'enforce (default), warn or off; set it where you start the agent'],
    ['AGENT_CHAT_CLAIMS', 'off: sessions in one repository are not told of changes that meet'],
    [
      'AGENT_CHAT_HUMAN',
      'ask: a message from your own terminal does not open the turn that it starts',
    ],
    ['AGENT_CHAT_ROOM', 'off starts Claude Code without the room that it shows'],
    [
      'AGENT_CHAT_NOTIFY',
      'how agent-chat notifies you: all (default), off, or some of tmux,bell,desktop',
    ],
    [
      'AGENT_CHAT_PROMPT',
      "the prompt of another agent's input line, if it is longer than one character",
    ],
    [
      'AGENT_CHAT_DEFAULT_AGENT',
      'the worker that gets what you type in the console without a name',
    ],
    ['AGENT_CHAT_RUNTIME', 'node or native: runs that one, whatever is installed'],
    ['AGENT_CHAT_DEBUG', '1 prints a stack trace with an error'],
    ['VISUAL, EDITOR', 'the editor that send --handover opens; VISUAL comes first'],
    ['NO_COLOR', 'no colours'],
  ],
}

export function helpCommand(program: Command, ports: Ports): void {
  addCommand(program, 'help', 'agent-chat help send\nagent-chat help --all')
    .addArgument(program.createArgument('[topic]', 'a command, or a topic').choices(TOPICS))
    .option('--all', 'list every command')
    .action((topic: Topic | undefined, { json }: { json?: boolean }) => {
      if (topic === undefined) {
        const all = verbs().filter(({ hidden }) => !hidden)
        const data = () => Object.fromEntries(all.map(({ word, summary }) => [word, summary]))
        return ports.print(json ? `${JSON.stringify(data())}\n` : helpOfAll())
      }
      const rows = ROWS[topic]
      const width = Math.max(...rows.map(([word]) => word.length))
      const text = () => rows.map(([word, says]) => `${word.padEnd(width)}  ${says}\n`).join('')
      ports.print(json ? `${JSON.stringify(Object.fromEntries(rows))}\n` : text())
    })
}
