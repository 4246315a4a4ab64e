import { idOfFile } from '../message/id.ts'
import { standsFor } from '../message/shortId.ts'
import { filesIn } from './home.ts'

/** The long id of the archived message that the first match of `pattern` in a text names. */
export function longId(
  home: { messages: string },
  text: string,
  pattern = /^sent (\S+) to/m,
): string {
  const short = pattern.exec(text)?.[1] ?? ''
  const ids = filesIn(home.messages).flatMap((file) => idOfFile(file) ?? [])
  return ids.find((id) => id === short || standsFor(short, id)) ?? ''
}
