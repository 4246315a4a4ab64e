import { TOOL_HOOKS } from '../hooks/tools.ts'
import { answerHook } from './answerHook.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = Object.keys(TOOL_HOOKS)

answerHook(TOOL_HOOKS)
