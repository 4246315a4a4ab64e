import { play } from '../play.ts'
import { boxCases } from './box.ts'

play(boxCases)
