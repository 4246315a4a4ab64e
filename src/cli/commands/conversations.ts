import type { Command } from 'commander'
import { parseName } from '../../message/name.ts'
import { isWorker } from '../../session/workers.ts'
import { readConversations } from '../../worker/conversations.ts'
import { requireListed } from '../../worker/definition/list.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'
import { ago } from '../render/time.ts'

/** So much of an id tells it from the others, and `ask --conversation` takes it. */
const ID_LENGTH = 8

export function conversationsCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'conversations',
    'agent-chat conversations @coder\nagent-chat ask @coder --conversation 3f9a1c20 "Go on with it"',
  )
    .argument('<worker>', 'the worker')
    .action((given: string, { json }: { json?: boolean }) => {
      const { home, clock } = ports.bus()
      const name = parseName(given)
      const { current, all } = readConversations(home, name)
      if (all.length === 0 && !isWorker(home, name)) requireListed(name, ports)
      if (json) return ports.print(`${JSON.stringify({ name, current, conversations: all })}\n`)
      if (all.length === 0) return ports.print(`@${name} has no conversations yet\n`)
      const rows = all
        .toReversed()
        .map(({ id, kind, answers, used, title }) => [
          ...[id === current ? '*' : '', id.slice(0, ID_LENGTH), kind, String(answers)],
          ...[ago(used, clock.now()), title],
        ])
      ports.print(table(['', 'conversation', 'kind', 'answers', 'used', 'began with'], rows))
      if (current !== null) ports.print('* an ask goes on with this one\n')
    })
}
