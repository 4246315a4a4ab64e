const STANDUP = `Give me a standup of the sessions of agent-chat. Use who, list_tasks and history
(minutes: 1440). For each session: what it did, what it is at, what it waits for. Then what needs
me: open decisions, overdue tasks, sessions that are gone. Change nothing and send nothing.`

/** The prompts, with what each one takes. */
export const PROMPTS = [
  {
    name: 'standup',
    description: 'What every session did, is doing and waits for',
    arguments: [{ name: 'name', description: 'only this session', required: false }],
  },
  {
    name: 'handover',
    description: 'Hand your work over to another session',
    arguments: [
      { name: 'to', description: 'the session', required: true },
      { name: 'about', description: 'what of it', required: false },
    ],
  },
]

/** The text of a prompt; undefined where there is none of this name, or an argument is missing. */
export function promptText(name: string, given: Record<string, string>): string | undefined {
  if (name === 'standup') return given.name ? `${STANDUP}\nOnly @${given.name}.` : STANDUP
  if (name !== 'handover' || !given.to?.trim()) return undefined
  const about = given.about ? ` about ${given.about}` : ''
  return `Hand your work${about} over to @${given.to.replace(/^@/, '')}: look with status whether it
is there, then send one message with these parts. What changed. Files affected. What you need to do.
Schema or contract details. Breaking changes. Show me the text before you send it.`
}
