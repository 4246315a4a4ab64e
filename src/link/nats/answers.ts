import { reasonOf } from '../../system/errno.ts'
import { parseFrame } from '../frames.ts'
import type { Bridge } from './lanes.ts'
import { namesOf, senderOf } from './names.ts'

/**
 * Hears what other machines answer. Answers are not kept on the server: whoever misses one asks
 * again.
 */
export function hearAnswers(
  bridge: Pick<Bridge, 'connection' | 'ticket' | 'me' | 'post' | 'ports' | 'over' | 'fail'>,
): void {
  const { connection, ticket, me, post, ports, over, fail } = bridge
  connection.subscribe(namesOf(ticket.team).answer('*', me.host), {
    callback: (error, message) => {
      if (over()) return
      if (error) return fail(error)
      const from = senderOf(message.subject)
      try {
        const frame = parseFrame(Buffer.from(message.data))
        if (frame?.f === 'ans') post.onAnswer(from, frame.n, frame.answer)
      } catch (wrong) {
        ports.notice(`${from} gave an answer that is none: ${reasonOf(wrong)}`)
      }
    },
  })
}
