import { play } from '../play.ts'
import { escapeCases } from './escape.ts'

play(escapeCases)
