import { workerContract } from '../../worker/contract.ts'
import { realStage } from './stage.ts'

workerContract(realStage)
