import { HOOKS } from '../hooks/main.ts'
import { answerHook } from './answerHook.ts'

/** What is worth keeping compiled code for: see `boot()`. */
export const words = Object.keys(HOOKS)

answerHook(HOOKS)
