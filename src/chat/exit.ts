import type { ErrorCode } from '../errors.ts'

/** The exit codes that scripts can rely on. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  gate: 3,
  notFound: 4,
  timedOut: 5,
  identity: 6,
  missingProgram: 7,
  nameTaken: 8,
  /** What a shell gives for a program that Ctrl-C has ended: 128 and the number of the signal. */
  interrupted: 130,
} as const

/** The one table from an error's code to the exit code. */
export const EXIT_CODES: Record<ErrorCode, number> = {
  FAULT: EXIT.fault,
  HOME_UNUSABLE: EXIT.fault,
  REGISTRY_BROKEN: EXIT.fault,
  LOCKED: EXIT.fault,
  OUTPUT_CLOSED: EXIT.fault,
  MESSAGE_UNREADABLE: EXIT.fault,
  USAGE: EXIT.usage,
  NAME_INVALID: EXIT.usage,
  NAME_RESERVED: EXIT.usage,
  BROADCAST_REFUSED: EXIT.usage,
  BODY_EMPTY: EXIT.usage,
  BODY_TOO_LONG: EXIT.usage,
  BODY_NOT_TEXT: EXIT.usage,
  FILE_UNREADABLE: EXIT.usage,
  EDITOR_FAILED: EXIT.usage,
  NO_REPOSITORY: EXIT.usage,
  WATCH_UNKNOWN: EXIT.notFound,
  ID_AMBIGUOUS: EXIT.usage,
  NOT_ADDRESSED: EXIT.usage,
  TASK_CLOSED: EXIT.usage,
  ASK_CIRCLE: EXIT.usage,
  GATE_REFUSED: EXIT.gate,
  SESSION_UNKNOWN: EXIT.notFound,
  SESSION_GONE: EXIT.notFound,
  HUMAN_UNREACHABLE: EXIT.notFound,
  MESSAGE_UNKNOWN: EXIT.notFound,
  TASK_UNKNOWN: EXIT.notFound,
  NO_ANSWER: EXIT.timedOut,
  TIMED_OUT: EXIT.timedOut,
  IDENTITY_UNKNOWN: EXIT.identity,
  PROGRAM_MISSING: EXIT.missingProgram,
  NAME_TAKEN: EXIT.nameTaken,
  INTERRUPTED: EXIT.interrupted,
}
