import { play } from '../play.ts'
import { turnCases } from './turns.ts'

play(turnCases)
