import type { Block } from '../harness/reply.ts'
import { type Play, type Team, tool } from './team.ts'

/** One thing that the chatter and its team have to get right. */
export type Case = {
  name: string
  /** Whether `npm test` plays it as well. */
  always?: true
  plays: Play[]
  /** Who is there beside the chatter; without it, the whole team. */
  others?: string[]
  play: (team: Team) => Promise<void>
}

export const says = (who: string, at: RegExp, text: string): Play => ({
  ...{ who, at },
  steps: [{ text }],
})

/** It is asked, and never answers. */
export const hangs = (who: string, at: RegExp): Play => ({
  ...{ who, at },
  steps: [() => new Promise(() => {})],
})

/** The API refuses its request. */
export const breaks = (who: string, at: RegExp, status: number, error: string): Play => ({
  ...{ who, at },
  steps: [{ status, error, message: 'not like this' }],
})

export const consult = (to: string, question: string, more: object = {}): Block =>
  tool('consult', { to, question, ...more })

export const assign = (to: string, task: string, more: object = {}): Block =>
  tool('assign_task', { to, task, ...more })

/** A field of the tools' answers that a model has just heard. */
export function field(heard: string, name: string): string {
  return new RegExp(`"${name}":"?([^"}]+)`).exec(heard)?.[1]?.trim() ?? `no ${name} in: ${heard}`
}
