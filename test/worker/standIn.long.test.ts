// child_process: this file starts the program (see vitest.config.ts).
import { workerContract } from './contract.ts'
import { silenceContract } from './silence.ts'
import { standInStage } from './stage.ts'

workerContract(standInStage)
silenceContract(standInStage)
