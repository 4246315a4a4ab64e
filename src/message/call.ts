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
  [/^(Bash|PowerShell|Monitor)$/, 'run'],
  [/^Write$/, 'write'],
  [/^(Edit|MultiEdit|NotebookEdit)$/, 'edit'],
  [/^Read$/, 'read'],
]

const verbOf = ({ name }: ToolCall) => WANTS.find(([tools]) => tools.test(name))?.[1]

/** What a dialog about a call asks: `wants to run: npm install`. */
export function wantsText(call: ToolCall): string {
  const about = aboutCall(call)
  const verb = verbOf(call)
  if (verb !== undefined && about !== '') return `wants to ${verb}: ${about}`
  const { questions } = call.input
  const [first] = Array.isArray(questions) ? questions : []
  const asked = Object(first).question
  if (typeof asked === 'string') return `asks you: ${asked}`
  return `wants to use ${call.name}${about === '' ? '' : `: ${about}`}`
}

/** What a session does with a call that is under way: `edits: src/a.ts`. */
export function doesText(call: ToolCall): string {
  const [about, verb] = [aboutCall(call), verbOf(call)]
  if (verb !== undefined && about !== '') return `${verb}s: ${about}`
  return `uses ${call.name}${about === '' ? '' : `: ${about}`}`
}
