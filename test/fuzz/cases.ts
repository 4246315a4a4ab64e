import fc from 'fast-check'

/** Where the random cases begin. Every run has another one, and prints it; `FUZZ_SEED=<number>` runs the same cases again. */
export const SEED = numberFrom('FUZZ_SEED', () => Math.floor(Math.random() * 2 ** 31))

/** How many times the usual number of cases are run: `FUZZ_RUNS=20` for a long look. */
export const TIMES = numberFrom('FUZZ_RUNS', () => 1)

/** Fewer cases than this in a whole run are no fuzzing. */
export const LEAST_CASES = 10_000

/** How long one property may take, in milliseconds, and how much of a case that fails is printed. */
const LONGEST_MS = 40_000
const LONGEST_REPORT = 6000

let ran = 0
const counts: Record<string, number> = {}

/** How many cases were run so far, of all properties together. */
export function casesRun(): number {
  return ran
}

/** One line: how many cases were run of what, and the seed that runs them again. */
export function summary(): string {
  const each = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
  return `fuzz: ${ran} cases (${each.join(', ')}); again with FUZZ_SEED=${SEED}${TIMES === 1 ? '' : ` FUZZ_RUNS=${TIMES}`}`
}

/**
 * Runs a property on as many random cases as asked for, and counts them under `what`. Throws with the smallest case that fails, and how to run it
 * again.
 */
export async function forAll<T>(what: string, runs: number, property: Property<T>): Promise<void> {
  const details = await fc.check(property, {
    seed: SEED,
    numRuns: Math.ceil(runs * TIMES),
    // A failure that cannot be made small in this time is told as it is.
    interruptAfterTimeLimit: LONGEST_MS * TIMES,
  })
  ran += details.numRuns
  counts[what] = (counts[what] ?? 0) + details.numRuns
  if (!details.failed) return
  const report = (await fc.asyncDefaultReportMessage(details)) ?? ''
  const told = report.length > LONGEST_REPORT ? `${report.slice(0, LONGEST_REPORT)} … (cut)` : report
  throw new Error(`${what}: run it again with FUZZ_SEED=${SEED}\n${told}`, { cause: details.errorInstance })
}

type Property<T> = fc.IAsyncProperty<T> | fc.IProperty<T>

function numberFrom(variable: string, otherwise: () => number): number {
  const text = process.env[variable]
  if (text === undefined || text === '') return otherwise()
  if (!/^-?\d{1,10}$/.test(text)) throw new Error(`${variable} takes a number, not ${JSON.stringify(text)}`)
  return Number(text)
}
