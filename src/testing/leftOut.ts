declare module 'vitest' {
  interface TaskMeta {
    /** Why a test was left out. */
    why?: string
  }
}

/** The options of a test or a group that is left out for this reason; without one, it runs. */
export function leftOut(why: string | false | undefined) {
  return why ? { skip: true, meta: { why } } : {}
}
