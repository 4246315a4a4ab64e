/** A call of one of an agent's tools. */
export type ToolCall = { name: string; input: Record<string, unknown> }

/** Every path that a call of such a tool names: nobody but the host knows which one it takes. */
export function editedPaths({ input: { file_path, notebook_path, edits } }: ToolCall): unknown[] {
  const inner = Array.isArray(edits) ? edits.map((edit) => Object(edit).file_path) : []
  return [file_path, notebook_path, ...inner].filter((path) => path !== undefined)
}

/** The command or the files of a call; empty where it has neither. */
export function aboutCall(call: ToolCall): string {
  const { command } = call.input
  return typeof command === 'string' ? command : editedPaths(call).join(', ')
}

const WANTS: [tools: RegExp, does: string][] = [
  [/^(Bash|PowerShell|Monitor)$/, 'wants to run'],
  [/^Write$/, 'wants to write'],
  [/^(Edit|MultiEdit|NotebookEdit)$/, 'wants to edit'],
  [/^Read$/, 'wants to read'],
]

/** What a dialog about a call asks: `wants to run: npm install`. */
export function wantsText(call: ToolCall): string {
  const about = aboutCall(call)
  const [, does] = WANTS.find(([tools]) => tools.test(call.name)) ?? []
  if (does !== undefined && about !== '') return `${does}: ${about}`
  const { questions } = call.input
  const [first] = Array.isArray(questions) ? questions : []
  const asked = Object(first).question
  if (typeof asked === 'string') return `asks you: ${asked}`
  return `wants to use ${call.name}${about === '' ? '' : `: ${about}`}`
}
