/** Every failure a user can meet, by code. `cli/exit.ts` gives each one its exit code. */
export type ErrorCode =
  | 'FAULT'
  | 'HOME_UNUSABLE'
  | 'REGISTRY_BROKEN'
  | 'LOCKED'
  | 'OUTPUT_CLOSED'
  | 'USAGE'
  | 'NAME_INVALID'
  | 'NAME_RESERVED'
  | 'BROADCAST_REFUSED'
  | 'BODY_EMPTY'
  | 'BODY_TOO_LONG'
  | 'BODY_NOT_TEXT'
  | 'FILE_UNREADABLE'
  | 'EDITOR_FAILED'
  | 'NO_REPOSITORY'
  | 'WATCH_UNKNOWN'
  | 'ID_AMBIGUOUS'
  | 'NOT_ADDRESSED'
  | 'TASK_CLOSED'
  | 'ASK_CIRCLE'
  | 'MESSAGE_UNREADABLE'
  | 'DEFINITION_INVALID'
  | 'GATE_REFUSED'
  | 'SESSION_UNKNOWN'
  | 'SESSION_GONE'
  | 'SESSION_BUSY'
  | 'HUMAN_UNREACHABLE'
  | 'MESSAGE_UNKNOWN'
  | 'TASK_UNKNOWN'
  | 'AGENT_UNKNOWN'
  | 'SCHEDULE_UNKNOWN'
  | 'NO_ANSWER'
  | 'TIMED_OUT'
  | 'NOT_ARRIVED'
  | 'PEER_REFUSES'
  | 'HOST_UNKNOWN'
  | 'IDENTITY_UNKNOWN'
  | 'PROGRAM_MISSING'
  | 'NAME_TAKEN'
  | 'INTERRUPTED'

/**
 * A failure with a code, one line for the user and one line that says what to do. Known by `code`,
 * not by `instanceof`: the command line and the hooks are two bundles with two copies of this
 * class.
 */
export class CodedError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  /** What another program said of it, line by line. */
  readonly lines: string[]

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint: string; cause?: unknown; lines?: string[] },
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.lines = options.lines ?? []
  }
}

/** Whether `error` is a `CodedError` of any bundle; with `code`, of that code. */
export function isCoded(error: unknown, code?: ErrorCode): error is CodedError {
  if (!(error instanceof Error) || !('hint' in error) || !('code' in error)) return false
  return code === undefined || error.code === code
}
