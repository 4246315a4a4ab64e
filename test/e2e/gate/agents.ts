import { ringsIn } from '../delivery/heard.ts'
import { bash } from '../delivery/model.ts'
import type { Rule } from '../harness/api.ts'
import type { Block, Reply } from '../harness/reply.ts'
import { type ApiRequest, newText } from '../harness/request.ts'

/** One answer of the model: words, a tool call, or several calls at once. */
type Step = Block | readonly Block[]

/**
 * What a model does once it meets the plan's key, whoever wrote it: in a prompt, in a message, or
 * as a subagent's task.
 */
export interface Plan {
  readonly key: string
  readonly steps: readonly Step[]
  /**
   * What came back after each step that was let run: the tools' results, as the model sees them.
   */
  readonly results: string[]
  begun: boolean
  done: boolean
}

/** What a model does of its own, before anything a plan says; undefined leaves it to that. */
type Habit = (text: string, request: ApiRequest) => Reply | Promise<Reply> | undefined

export interface Agents {
  readonly rule: Rule
  plan(...steps: readonly Step[]): Plan
  habit(name: string, habit: Habit): void
}

/**
 * Models that do at once what they are told, by anyone: they read their inbox when it rings, and
 * carry out every plan that they meet.
 */
export function obedientAgents(): Agents {
  const plans: Plan[] = []
  const running = new Map<string, Plan>()
  const habits = new Map<string, Habit>()
  const rule: Rule = (request) => {
    const text = newText(request)
    const who = speaker(request, plans)
    const own = habits.get(who)?.(text, request)
    if (own !== undefined) return own
    if (request.kind === 'main' && ringsIn(text).length > 0) {
      running.delete(who)
      return bash('agent-chat inbox')
    }
    const next = plans.find(({ key, begun }) => !begun && text.includes(key))
    if (next) running.set(who, next)
    const plan = running.get(who)
    return (plan && advance(plan, text)) ?? { text: 'Done.' }
  }
  return {
    rule,
    plan: (...steps) => {
      const plan: Plan = {
        key: `plan-${plans.length + 1}-please`,
        steps,
        results: [],
        begun: false,
        done: false,
      }
      plans.push(plan)
      return plan
    },
    habit: (name, habit) => {
      habits.set(name, habit)
    },
  }
}

/** A call of the Agent tool, whose subagent then carries out the plan. */
export function delegate(plan: Plan): Block {
  return {
    tool: 'Agent',
    input: { description: 'a part', prompt: `Do ${plan.key}`, subagent_type: 'general-purpose' },
  }
}

/** The session whose model is asked; sessions of one world share the API. */
export function nameIn(request: ApiRequest): string {
  const all = request.messages.map(({ text }) => text).join('\n')
  return /This session is @([a-z][a-z0-9-]*) on agent-chat/.exec(all)?.[1] ?? ''
}

function speaker(request: ApiRequest, plans: readonly Plan[]): string {
  if (request.kind !== 'agent') return nameIn(request)
  const task = request.messages.map(({ text }) => text).join('\n')
  return `subagent for ${plans.find(({ key }) => task.includes(`Do ${key}`))?.key}`
}

function advance(plan: Plan, text: string): Step | undefined {
  if (plan.begun) plan.results.push(text)
  plan.begun = true
  const step = plan.steps[plan.results.length]
  if (step === undefined) plan.done = true
  return step
}
