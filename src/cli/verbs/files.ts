import { watchFileCommand } from '../commands/watch-file.ts'

/** Commands about files that sessions share. */
export const FILES = {
  'watch-file': watchFileCommand,
}
