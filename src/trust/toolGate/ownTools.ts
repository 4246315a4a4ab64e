/** What the tools of `agent-chat mcp` are called, by what each of them does at most. */
const SHOWING = ['list_tasks', 'status', 'who', 'history', 'search', 'inbox']
const SAYING = [
  ...['send', 'reply', 'consult', 'escalate', 'assign_task', 'update_task'],
  ...['add_task', 'complete_task', 'delete_task'],
]

const OURS = 'mcp__agent-chat__'

/** Whether a tool has the name of one of ours; another server may have taken it. */
export function isOwnTool(name: string): boolean {
  return [...SHOWING, ...SAYING].includes(ownPart(name))
}

/** Whether one of ours may do more than show something. */
export function saysMore(name: string): boolean {
  return !SHOWING.includes(ownPart(name))
}

/** The name that one of our tools has among ours; empty for any other tool. */
function ownPart(name: string): string {
  return name.startsWith(OURS) ? name.slice(OURS.length) : ''
}
