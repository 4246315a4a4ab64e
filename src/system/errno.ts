/** Whether `error` is a system error with one of these codes, for example `ENOENT`. */
export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  )
}

/** What an error says, in the place of its class and its stack. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What `work` gives, or undefined where the system answers with one of these codes. */
export function unless<T>(codes: readonly string[], work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined
    throw error
  }
}

/** What `work` gives. Where something that it needs is not there, `make` comes first. */
export function making<T>(make: () => void, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    make()
    return work()
  }
}
