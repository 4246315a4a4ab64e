import { attachmentsOf } from './attachment.ts'
import { headerFields, type Message } from './message.ts'
import { isUnproven } from './proven.ts'
import { isOpenTask, type Task } from './task.ts'

/** A message as data, the same at every surface: the file's fields, and the body as it was sent. */
export function messageJson(message: Message): Record<string, unknown> {
  const attachments = attachmentsOf(message)
  return {
    ...headerFields(message),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(isUnproven(message) ? { proven: false } : {}),
    body: message.body,
  }
}

/** A task as data: the message that gave it, its state, and what ended it. */
export function taskJson({ message, state, since, result }: Task): Record<string, unknown> {
  return {
    ...messageJson(message),
    state,
    since,
    open: isOpenTask(state),
    result: result ? messageJson(result) : null,
  }
}
