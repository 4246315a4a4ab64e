import type { Operand } from './operand.ts'
import { doubt } from './script.ts'

const ABOUT_FILES = /^-[bcdefghLnprsSuwxzGO]$/
const BETWEEN_WORDS = /^(=|==|!=|-nt|-ot|-ef)$/
const BETWEEN_NUMBERS = /^-(eq|ne|lt|le|gt|ge)$/

/**
 * Some tests calculate, which runs what stands in a subscript, so a word is a word only where it
 * can be nothing else.
 */
export function judgeTest(all: Operand[]): void {
  if (all.some(({ many }) => many)) doubt('a test with words that are only known when it runs')
  const args = all[0]?.value === '!' && all.length > 1 ? all.slice(1) : all
  const [one, two, three] = args
  if (args.length === 1 && (one?.value === undefined || !one.value.startsWith('-'))) return
  if (args.length === 2 && ABOUT_FILES.test(one?.value ?? '')) return
  if (args.length === 3 && BETWEEN_WORDS.test(two?.value ?? '')) return
  const numbers = one?.number && three?.number && one.value !== '' && three.value !== ''
  if (args.length === 3 && BETWEEN_NUMBERS.test(two?.value ?? '') && numbers) return
  doubt('a test of an unusual form')
}
