import { AFTER_TOOL } from '../hooks/tools.ts'
import { warmUp } from '../hooks/warmUp.ts'
import { answerHook } from './answerHook.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = Object.keys(AFTER_TOOL)

/** Runs once, before compiled code is kept: see `boot()`. */
export function warm(): void {
  warmUp(process.cwd(), process.env)
}

answerHook(AFTER_TOOL)
