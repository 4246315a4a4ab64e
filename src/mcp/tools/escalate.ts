import { escalateAs } from '../../chat/escalate.ts'
import { escalationBody, escalationOf } from '../../message/escalation.ts'
import { data, named, optional, text, texts } from '../fields.ts'
import { sectionsOf } from '../sections.ts'
import { markOf, NUMBER, SENT, sentAnswer, TEXT, tool } from '../tool.ts'

export const escalateTool = tool({
  name: 'escalate',
  description:
    'Put a decision to your user, with two to four options. It does not wait: the answer comes as a message.',
  fields: {
    message: named(text('what is to be decided', 2000), 'question'),
    options: texts('two to four choices, one line each', 2, 4),
    context: optional(data('what they need to know')),
    recommendation: optional(text('what you would do, and why', 2000)),
  },
  gives: { ...SENT, decision: NUMBER, shown: TEXT },
  run: async ({ message: question, options, recommendation: recommend, ...more }, call) => {
    const context = contextOf(more.context)
    const shown = `${escalationBody({ question, options, context, recommend })}\n\nWhat would you like to do?`
    const earlier = call.earlier?.()
    if (earlier) {
      const decision = escalationOf(earlier)?.number
      return { ...sentAnswer({ message: earlier }), decision, shown }
    }
    const extra = markOf(call.key)
    const request = { question, options, context, recommend, extra }
    const { number, ...posted } = await escalateAs(call.name, request, call.ports)
    return { ...sentAnswer(posted), decision: number, shown }
  },
})

const LONGEST = 20_000

function contextOf(given: string | object | undefined): string | undefined {
  const told = typeof given === 'object' ? sectionsOf(given).join('\n\n') : given
  if (told === undefined || told === '') return undefined
  return text('', LONGEST).read(told, 'context')
}
