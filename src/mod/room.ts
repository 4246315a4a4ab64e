import { ended, openPane, witness } from './acts.ts'
import { drawBand } from './band.ts'
import { checkBelt } from './belt.ts'
import type { Engine, On } from './engine.ts'
import { begin } from './live.ts'
import { drawPane } from './pane.ts'
import { drawRing, drawToolUse, notePrompt } from './rows.ts'

/** What the client calls when it loads the mod. Without the mod, everything works all the same. */
export function register(on: On): void {
  on('session.start', async ($, e, next) => {
    await begin($, e)
    return next(e)
  }).catch(pass)
  on('prompt.submit', async ($, e, next) => {
    notePrompt(e)
    await witness($, e)
    return next(e)
  }).catch(pass)
  on('turn.complete', async ($, e, next) => {
    if (e.isAborted && e.agentId === undefined) await ended($)
    return next(e)
  }).catch(pass)
  on('tool.check', checkBelt).catch(() => ({
    decision: 'deny',
    reason: 'agent-chat: nothing could tell whether you have to be asked about this call',
  }))
  on('command.run', { command: 'room' }, openPane).catch(() => ({ text: 'no room here' }))
  on('ui.render', { component: 'AbovePrompt' }, drawBand).catch(pass)
  on('ui.render', { component: 'Pane', requestId: 'room' }, drawPane).catch(pass)
  on('ui.render', { component: 'UserMessage' }, drawRing).catch(pass)
  on('ui.render', { component: 'ToolUse' }, drawToolUse).catch(pass)
}

/** A fault of ours leaves to the client what it does by itself. */
function pass<E, R>(_: Engine, e: E, next: (e: E) => Promise<R>): Promise<R> {
  return next(e)
}
