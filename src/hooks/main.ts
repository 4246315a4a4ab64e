import { notification, permissionRequest, sessionEnd, stop } from './events/activity.ts'
import { bell, cwdChanged, joined, startRing, stopRing } from './events/bell.ts'
import { userPromptSubmit } from './events/prompt.ts'
import { sessionStart } from './events/session-start.ts'
import { subagentStart } from './events/subagent.ts'
import type { Hooks } from './run.ts'

/** All hooks but those of a tool call, which load the whole gate. */
export const HOOKS: Hooks = {
  'session-start': {
    run: sessionStart,
    onFault: 'open',
    costs: 'the native doorbell is not armed; the tmux doorbell rings',
  },
  'start-ring': { run: startRing, onFault: 'open', costs: 'the tmux doorbell rings 5 s later' },
  'user-prompt-submit': {
    run: userPromptSubmit,
    onFault: 'open',
    costs: 'a typed ring does not count as presented',
  },
  'permission-request': {
    run: permissionRequest,
    onFault: 'open',
    costs: 'only the screen shows that a dialog is open',
  },
  notification: { run: notification, onFault: 'open', costs: 'the state is not updated' },
  'subagent-start': {
    run: subagentStart,
    onFault: 'open',
    costs: 'its calls count as part of a closed turn, if one has started any',
  },
  stop: {
    run: stop,
    onFault: 'open',
    costs: 'the state stays busy; the watcher looks at the screen after 3 s',
  },
  'stop-ring': {
    run: stopRing,
    onFault: 'open',
    costs: 'messages of the turn ring by tmux 5 s later, or with the next message',
  },
  'session-end': {
    run: sessionEnd,
    onFault: 'open',
    costs: 'only the process shows that the agent is gone',
  },
  'cwd-changed': {
    run: cwdChanged,
    onFault: 'open',
    costs: 'the native doorbell may fall silent; the tmux doorbell rings',
  },
  bell: { run: bell, onFault: 'open', costs: 'the tmux doorbell rings 5 s later' },
  joined: { run: joined, onFault: 'open', costs: 'the next /clear arms the native doorbell' },
}
