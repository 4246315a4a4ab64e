/** Words that thank, greet or acknowledge, and those that stand between them without saying more. */
const WORDS = new Set(
  (
    'thanks thank thx ty you very much so many for that this it all great good perfect excellent awesome nice wonderful super cool ' +
    'ok okay k got noted received understood acknowledged ack roger copy will do sounds looks fine yes yep sure welcome youre ' +
    "you're cheers appreciated appreciate i we the your message update info information handover work well done lovely happy to help " +
    'anytime no problem np bye goodbye hello hi again and a lot'
  ).split(' '),
)

/** Longer texts say something. */
const MAX_WORDS = 24

/** Whether a message merely thanks or acknowledges: every word of it does, and a question asks for more. */
export function acknowledges(body: string): boolean {
  if (body.includes('?')) return false
  const words =
    body
      .toLowerCase()
      .replaceAll(/@[a-z][a-z0-9-]*/g, ' ')
      .match(/[\p{L}\p{N}'’]+/gu) ?? []
  if (words.length > MAX_WORDS) return false
  return words.length > 0 ? words.every((word) => WORDS.has(word.replace('’', "'"))) : !/[\p{L}\p{N}]/u.test(body)
}
