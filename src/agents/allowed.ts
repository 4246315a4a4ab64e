/**
 * Commands of ours that an agent may run without a dialog of its own, as our skill allows them in
 * Claude Code: the gate judges each of them anyway.
 */
export const ALLOWED =
  'send inbox reply ask task tasks accept decline done fail escalate thread history search who status show gate'
    .split(' ')
    .map((verb) => `agent-chat ${verb}`)
