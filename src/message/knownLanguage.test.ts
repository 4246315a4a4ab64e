import { expect, test } from 'vitest'
import { KEPT_QUESTIONS, KEPT_REPORTS, QUESTIONS, REPORTS } from '../testing/turnEndings.ts'
import { closingQuestion, ENDED } from './closingQuestion.ts'
import { isKnownLanguage } from './knownLanguage.ts'

test.each([...QUESTIONS, ...REPORTS, ...KEPT_QUESTIONS, ...KEPT_REPORTS])('knows: %s', (text) =>
  expect(isKnownLanguage(text)).toBe(true),
)

test.each([
  'OK',
  '42',
  '',
  'Åse Sørby wrote it.',
  'Pushed. CI green.',
  'src/a.ts src/b.ts src/c.ts README.md',
  'Renamed `şube` to `branch` in the importer; the tests pass.',
  '見てください。',
  'Готово.',
])('too short, a name, code: %s', (text) => expect(closingQuestion(text)).toBeUndefined())

test.each([
  ['Turkish', 'Planı hazırladım. Hangi seçeneği istediğinizi bana bildirin.'],
  [
    'Swedish',
    'Jag har gjort en plan på två sätt. Säg till vilket av förslagen du vill ha så börjar jag.',
  ],
  ['Danish', 'Jeg har lavet en plan. Sig til, hvilken løsning du ønsker, så går jeg i gang.'],
  ['Czech', 'Plán je hotový. Řekněte mi, kterou možnost chcete.'],
  [
    'Hungarian',
    'A terv kész. Kérem, válasszon a két lehetőség közül, mielőtt folytatom a törlést.',
  ],
  [
    'Finnish',
    'Suunnitelma on nyt valmis ja testit menevät läpi. Kerro minulle, kumman vaihtoehdon haluat ennen kuin jatkan.',
  ],
  ['Romanian', 'Planul este gata. Spune-mi ce variantă preferi și încep să șterg tabela.'],
  ['Vietnamese', 'Tôi đã lập kế hoạch. Hãy cho tôi biết bạn muốn phương án nào.'],
  ['Greek', 'Το σχέδιο είναι έτοιμο. Πείτε μου ποια επιλογή θέλετε.'],
  ['Arabic', 'الخطة جاهزة. أخبرني أي خيار تريد.'],
  ['Hebrew', 'התוכנית מוכנה. תגיד לי איזו אפשרות אתה רוצה.'],
  ['Hindi', 'योजना तैयार है। कृपया बताइए कि आप कौन सा विकल्प चाहते हैं।'],
  ['Thai', 'แผนพร้อมแล้ว กรุณาบอกว่าต้องการแบบไหน'],
  [
    'Indonesian',
    'Rencana sudah siap. Silakan beri tahu saya pilihan mana yang Anda inginkan sebelum saya menghapus tabel lama.',
  ],
])('%s, which the rules do not know: it ended its turn', (_, text) => {
  expect(isKnownLanguage(text)).toBe(false)
  expect(closingQuestion(text)).toMatch(new RegExp(`^${ENDED}: .`))
})

test('a question mark is known in any language', () => {
  expect(closingQuestion('Planı hazırladım. Devam edeyim mi?')).toBe('Devam edeyim mi?')
})
