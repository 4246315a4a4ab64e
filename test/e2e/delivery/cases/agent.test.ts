import { play } from '../play.ts'
import { agentCases } from './agent.ts'

play(agentCases)
