import { play } from '../play.ts'
import { dialogCases } from './dialogs.ts'

play(dialogCases)
