/**
 * Common words of the languages whose questions the rules know, and the words of short reports:
 * whoever writes more than a few words in one of them uses some of these. Words of one or two letters
 * that other languages have as well are not in it.
 */
const WORDS = new Set(
  [
    'an the is it in of to or we if so my as by at be up not was are were been this that these those and',
    'for with from all any some both none now only still you they there here but has have had does did can',
    'will would should one two three done fixed added updated removed renamed tests test pass passes passed',
    'fails failed ready see everything nothing your its what which than then when after before also ok',
    'merged pushed committed deployed yes running starting waiting finished complete completed build builds',
    'der die das den dem des ein eine einen ist sind war wurde wurden und oder nicht mit von zum auf für aus',
    'ich wir sie alle alles auch noch habe haben soll kann fertig het een van dat niet met voor zijn',
    'les une des est sont dans pour avec sur pas que qui vous nous aux tout los las por con para del está',
    'están não com dos das foi uma gli uno non per che sono nel della dei tutti tutto',
    'jest są nie się czy jak dla już oraz',
  ].flatMap((line) => line.split(' ')),
)

/** Letters of the languages that the rules know; only other languages have others. */
const LATIN = /^[a-zäöüßàâçéèêëîïôûùÿœæáíñóúãõìòąćęłńśźż'’]*$/
const CYRILLIC = /^[а-яёіїєґ'’]+$/
/** Chinese, Japanese and Korean have no words between blanks. */
const EAST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** So many words with letters of other languages may be names, where the others are known. */
const NAMES = 2
/** Fewer words of which none is common may be names, or a list. */
const FEW = 12

/**
 * Whether a text is in a language whose questions the rules know; so is one that is too short to
 * tell.
 */
export function isKnownLanguage(text: string): boolean {
  if (EAST.test(text)) return true
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}'’]+/gu) ?? []
  const foreign = words.filter((word) => !LATIN.test(word) && !CYRILLIC.test(word)).length
  const isCommon = words.some((word) => WORDS.has(word) || CYRILLIC.test(word))
  if (isCommon) return foreign <= NAMES || foreign * 10 < words.length
  return foreign < NAMES && words.length < FEW
}
