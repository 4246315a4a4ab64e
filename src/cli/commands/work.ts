import type { Command } from 'commander'
import { parseSessionName } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import type { ClientEvent } from '../../worker/client/line.ts'
import { requireDefinition } from '../../worker/definition/list.ts'
import { systemParts } from '../../worker/systemParts.ts'
import { work } from '../../worker/work.ts'
import type { Shown } from '../../worker/worker.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

const MORE = `
The worker is defined in $AGENT_CHAT_HOME/agents/<name>.md: see agent-chat help agents.
It takes one message after the other. Ctrl-C ends it at once; what it was working on stays unread.`

export function workCommand(program: Command, ports: Ports): void {
  addCommand(program, 'work', 'agent-chat work researcher')
    .argument('<worker>', 'the worker')
    .addOption(program.createOption('--supervised', 'run for the supervisor').hideHelp())
    .addHelpText('after', MORE)
    .action(async (given: string, { json }: { json?: boolean }) => {
      const name = parseSessionName(given)
      const text = shownText(name)
      const end = await work(
        {
          name,
          define: () => requireDefinition(name, ports),
          parts: (definition, cwd, onWait) => systemParts(definition, cwd, onWait, ports),
          show: (shown) => ports.print(json ? `${JSON.stringify(shown)}\n` : text(shown)),
        },
        ports,
      )
      if (!json)
        ports.print(
          end.end === 'idle' ? `@${name} was idle and has ended\n` : `@${name} has ended\n`,
        )
    })
}

/** More of a tool's input is not shown, in signs. */
const INPUT_LENGTH = 100

/** What a worker shows, as text: words as they come, everything else on lines of its own. */
export function shownText(name: string): (shown: Shown) => string {
  let open = false
  const line = (text: string) => {
    const before = open ? '\n' : ''
    open = false
    return `${before}${text}\n`
  }
  return (shown) => {
    switch (shown.type) {
      case 'joined':
        return line(`@${name} is ready`)
      case 'prompt': {
        const { from, kind, id, body } = shown.message
        const again = shown.attempt === 1 ? '' : `, try ${shown.attempt}`
        return line(`\n${from}: (${kind} ${shortId(id)}${again})\n${visible(body)}\n\n${name}:`)
      }
      case 'sent': {
        const { outcome, message } = shown
        const why = outcome.why === undefined ? '' : ` (failed: ${visibleLine(outcome.why)})`
        return line(`sent ${message.kind} to @${message.to}${why}`)
      }
      case 'told':
        return line(visibleLine(shown.text))
      case 'client': {
        const { event } = shown
        if (event.type !== 'text') {
          const text = eventText(event)
          return text === undefined ? '' : line(text)
        }
        open = !event.text.endsWith('\n')
        return visible(event.text)
      }
    }
  }
}

function eventText(event: ClientEvent): string | undefined {
  switch (event.type) {
    case 'tool_start':
      return `  ${event.tool} ${inputText(event.input)}`.trimEnd()
    case 'tool_complete':
      return event.failed ? `  ${event.tool} failed` : undefined
    case 'retry':
      return `  the API is asked again (${event.attempt}/${event.of}): ${event.error}`
    case 'silent':
      return `  ${event.why}`
    default:
      return undefined
  }
}

/** The value that says most: what is run, read or looked for. */
function inputText(input: Record<string, unknown>): string {
  const value = Object.values(input).find((one) => typeof one === 'string')
  const signs = [...visibleLine(typeof value === 'string' ? value : '')]
  return signs.length > INPUT_LENGTH
    ? `${signs.slice(0, INPUT_LENGTH - 1).join('')}…`
    : signs.join('')
}
