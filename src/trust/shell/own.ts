import { verbs } from '../../message/verbs.ts'
import type { Operand } from './operand.ts'
import { doubt } from './script.ts'

/** Our verbs that a turn without the human's word may use. The launcher is not among them. */
const isOwn = (word: string | undefined) =>
  verbs().some(({ free, word: own }) => free && own === word)

/** Options with which a command of ours runs git. */
const WITH_GIT = /^--(with-diffstat|handover)/

/** Judges a command of ours. Gives whether it runs git. Throws `Doubt`. */
export function judgeOwn([verb, ...args]: Operand[]): boolean {
  if (!isOwn(verb?.value)) doubt(`agent-chat ${verb?.value ?? ''}`.trim())
  if (args.some(({ value, start, many }) => many || (value === undefined && /^(-|$)/.test(start))))
    doubt('an argument of agent-chat that is only known when it runs')
  if (args.some(({ start }) => start.startsWith('--follow'))) doubt('--follow, which does not end')
  return args.some(({ start }) => WITH_GIT.test(start))
}

/**
 * PowerShell has rules of its own for quotes and signs: there a command is ours only in words that
 * are the same everywhere.
 */
export function isOwnInPowerShell(command: string): boolean {
  const match =
    /^ *agent-chat((?: +(?:@?[A-Za-z0-9][\w./:-]*|--?[a-z][a-z-]*|'[ -&(-~]*'))+) *$/.exec(command)
  const words = (match?.[1] ?? '').trim().split(/ +/)
  return (
    match !== null &&
    isOwn(words[0]) &&
    !words.some((word) => word.includes('--follow') || WITH_GIT.test(word.replaceAll("'", '')))
  )
}
