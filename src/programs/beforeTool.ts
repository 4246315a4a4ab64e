import { BEFORE_TOOL } from '../hooks/tools.ts'
import { warmUp } from '../hooks/warmUp.ts'
import { workingDirectory } from '../system/workingDirectory.ts'
import { answerHook } from './answerHook.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = Object.keys(BEFORE_TOOL)

/** Runs once, before compiled code is kept: see `boot()`. */
export function warm(): void {
  warmUp(workingDirectory(process.env), process.env)
}

answerHook(BEFORE_TOOL)
