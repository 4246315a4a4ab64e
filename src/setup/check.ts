import { isCoded } from '../errors.ts'

/** What was looked at and what came of it. `hint` says what to do, where there is something to do. */
export type Check = { name: string; status: CheckStatus; detail: string; hint?: string }

/** `mended`: it was wrong and is right now. `warning`: worth knowing, and messages still arrive. */
export type CheckStatus = 'ok' | 'mended' | 'warning' | 'failed'

/** Looks, and takes whatever is thrown for a check that failed: a doctor must get to its last question. */
export async function checked(name: string, look: () => Check[] | Promise<Check[]>): Promise<Check[]> {
  try {
    return await look()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const hint = isCoded(error) ? { hint: error.hint } : {}
    return [{ name, status: 'failed', detail, ...hint }]
  }
}
