/**
 * Commands of ours that an agent may run without a dialog of its own, as our skill allows them in
 * Claude Code: the gate judges each of them anyway.
 */
export const ALLOWED =
  'send inbox reply ask task tasks accept decline done fail escalate thread history search who status show gate'
    .split(' ')
    .map((verb) => `agent-chat ${verb}`)

/**
 * Those of them that read and answer mail, as rules of Claude Code: `start` gives them to its
 * session, so that no dialog is between a message and its reader. None of them is the person's own
 * by the table of commands.
 */
export const MAIL_RULES =
  'inbox show thread history search who status tasks gate reply accept decline done fail'
    .split(' ')
    .map((verb) => `Bash(agent-chat ${verb}:*)`)
