import { CodedError } from '../errors.ts'
import { effectOf, type Judgement } from '../trust/shell/reading.ts'
import { placeAt } from '../trust/toolGate/place.ts'
import type { Ports } from './ports.ts'

export type Tried = { command: string } & Judgement

/** What the gate makes of each command, were it run here in a turn that is not the human's. */
export function tryGate(commands: string[], ports: Pick<Ports, 'cwd' | 'env'>): Tried[] {
  const place = placeAt(ports.cwd, ports.env.CLAUDE_PROJECT_DIR || ports.cwd, ports.env)
  return commands.map((command) => ({ command, ...effectOf(command, place) }))
}

/** The commands in a text that holds one JSON string a line. Throws `USAGE`. */
export function commandsIn(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [commandIn(line, at + 1)]))
}

function commandIn(line: string, number: number): string {
  let command: unknown
  try {
    command = JSON.parse(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  if (typeof command !== 'string')
    throw new CodedError('USAGE', `line ${number} is not a JSON string`, {
      hint: `echo '"git status"' | agent-chat gate --try -`,
    })
  return command
}
