import type { Command } from 'commander'
import { allow, disallow, listAllows } from '../../chat/allow.ts'
import { CodedError } from '../../errors.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Allow } from '../../trust/allow/file.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'

type Flags = { project?: boolean; remove?: boolean; json?: boolean }

export function allowCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'allow',
    'agent-chat allow "npm test" --project\nagent-chat allow "docker compose ps"\nagent-chat allow mcp__github__get_issue\nagent-chat allow --remove "npm test"',
  )
    .argument(
      '[command]',
      'one command in quotes, or the name of an MCP tool; without it, list them',
    )
    .option('--project', 'only in this directory')
    .option('--remove', 'no longer allow it')
    .action((text: string | undefined, { project = false, remove, json }: Flags) => {
      if (text === undefined && (remove || project))
        throw new CodedError('USAGE', 'no command is named', {
          hint: 'put the command in quotes: agent-chat allow "npm test" --project',
        })
      const allows =
        text === undefined
          ? listAllows(ports)
          : remove
            ? disallow({ text, project }, ports)
            : [allow({ text, project }, ports)]
      const said = remove ? 'no longer allowed' : 'allowed'
      const lines = allows.map((one) => `${said}: ${describe(one)}\n`)
      const none = 'nothing is allowed; for example: agent-chat allow "npm test" --project\n'
      ports.print(json ? `${JSON.stringify(allows)}\n` : lines.join('') || none)
    })
}

function describe({ text, project, script }: Allow): string {
  const where = project === null ? 'everywhere' : `in ${project}`
  return `${visibleLine(text)}  ${where}${script === null ? '' : ', as long as its script stays the same'}`
}
