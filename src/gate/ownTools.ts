/** What the tools of `agent-chat mcp` are called, by what each of them does at most. */
const SHOWING = ['list_tasks', 'status', 'who', 'history', 'search', 'inbox']
const SAYING = [
  ...['send', 'reply', 'consult', 'escalate', 'assign_task', 'update_task'],
  ...['add_task', 'complete_task', 'delete_task'],
]

const OURS = /^mcp__agent-chat__([a-z_]+)$/

/** Whether a tool has the name of one of ours; another server may have taken it. */
export function isOwnTool(name: string): boolean {
  const tool = OURS.exec(name)?.[1]
  return tool !== undefined && (SHOWING.includes(tool) || SAYING.includes(tool))
}

/** Whether one of ours may do more than show something. */
export function saysMore(name: string): boolean {
  return !SHOWING.includes(OURS.exec(name)?.[1] ?? '')
}
