import fc from 'fast-check'

/**
 * Where the random cases begin: the same ones in each run, so that a commit passes or fails by what
 * is in it. `npm run fuzz` takes another number; `FUZZ_SEED=<number>` runs those again.
 */
export const SEED = numberFrom('FUZZ_SEED', () => 1)

/**
 * How many times the usual number of cases are run: `FUZZ_RUNS=20` for a long look, `0.05` for a
 * short one.
 */
export const TIMES = numberFrom('FUZZ_RUNS', () => 1)

/** Fewer cases than this in a whole run are no fuzzing. */
export const LEAST_CASES = 10_000

/**
 * Nor are fewer of those that hold the whole program against what it has to do: each is many
 * commands, and most of all cases are one call of one function.
 */
export const LEAST_OF: Record<string, number> = {
  sequences: 250,
  interleavings: 60,
  'killed interleavings': 25,
}

/**
 * How long one property may take, in milliseconds: the longest takes 20 s by itself, and some
 * minutes on a machine that has ten other things to do.
 */
export const LONGEST_MS = 600_000
/** How long a case that fails is made smaller, in milliseconds. */
const SHRINK_MS = 40_000

/** How much of a case that fails is printed. */
const LONGEST_REPORT = 6000

let ran = 0
const counts: Record<string, number> = {}

/** How many cases were run so far, of all properties together. */
export function casesRun(): number {
  return ran
}

/** Of which of `LEAST_OF` fewer cases were run so far, with how many. A short look asks for less. */
export function tooFew(): Record<string, number> {
  const share = Math.min(1, TIMES)
  const kinds = Object.entries(LEAST_OF).filter(
    ([what, least]) => (counts[what] ?? 0) < least * share,
  )
  return Object.fromEntries(kinds.map(([what]) => [what, counts[what] ?? 0]))
}

/** One line: how many cases were run of what, and the seed that runs them again. */
export function summary(): string {
  const each = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
  return `fuzz: ${ran} cases (${each.join(', ')}); again with FUZZ_SEED=${SEED}${TIMES === 1 ? '' : ` FUZZ_RUNS=${TIMES}`}`
}

/**
 * Runs a property on as many random cases as asked for, and counts them under `what`. Throws with
 * the smallest case that fails, and how to run it again; and where there was no time for all of
 * them: the rest was not tried.
 */
export async function forAll<T>(
  what: string,
  runs: number,
  property: Property<T>,
  longestMs = LONGEST_MS,
) {
  const asked = Math.ceil(runs * TIMES)
  // A short look may wait as long for one case as any other.
  const limitMs = longestMs * Math.max(1, TIMES)
  const details = await fc.check(property, {
    seed: SEED,
    numRuns: asked,
    endOnFailure: true,
    interruptAfterTimeLimit: limitMs,
  })
  ran += details.numRuns
  counts[what] = (counts[what] ?? 0) + details.numRuns
  if (details.interrupted && details.counterexample === null) {
    const seconds = limitMs / 1000
    throw new Error(
      `${what}: only ${details.numRuns} of ${asked} cases were run in ${seconds} s (FUZZ_SEED=${SEED})`,
    )
  }
  if (!details.failed) return
  const report = (await fc.asyncDefaultReportMessage(await smaller(property, details))) ?? ''
  const told =
    report.length > LONGEST_REPORT ? `${report.slice(0, LONGEST_REPORT)} … (cut)` : report
  const error = details.errorInstance
  const why = error instanceof Error ? error.message : String(error)
  throw new Error(`${what}: run it again with FUZZ_SEED=${SEED}\n${why}\n${told}`, { cause: error })
}

/** The failure made small, as far as there is time; as it was where it does not come again. */
async function smaller<T>(
  property: Property<T>,
  details: fc.RunDetails<T>,
): Promise<fc.RunDetails<T>> {
  if (details.counterexamplePath === null) return details
  const again = {
    seed: SEED,
    path: details.counterexamplePath,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  }
  const shrunk = await fc.check(property, again)
  return shrunk.counterexample === null ? details : shrunk
}

type Property<T> = fc.IAsyncProperty<T> | fc.IProperty<T>

function numberFrom(variable: string, otherwise: () => number): number {
  const text = process.env[variable]
  if (text === undefined || text === '') return otherwise()
  if (!/^-?\d{1,10}(\.\d{1,4})?$/.test(text))
    throw new Error(`${variable} takes a number, not ${JSON.stringify(text)}`)
  return Number(text)
}
