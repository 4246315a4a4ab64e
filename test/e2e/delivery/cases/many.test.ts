import { play } from '../play.ts'
import { manyCases } from './many.ts'

play(manyCases)
