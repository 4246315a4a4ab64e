import { play } from '../play.ts'
import { plainCases } from './plain.ts'

play(plainCases)
