import fc from 'fast-check'
import { SEED } from './fuzz/cases.ts'

/** Loaded before every test: random cases are the same ones in each run, but in `npm run fuzz`. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
