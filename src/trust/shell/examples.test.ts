import { expect, test } from 'vitest'
import { ASKS, READS } from '../../testing/gateExamples.ts'
import { placeWith } from '../../testing/place.ts'
import { effectOf } from './reading.ts'

test.each(READS)('passes: %j', (command) => {
  const { effect, why } = effectOf(command, placeWith())
  expect([effect, why]).not.toEqual(['changing', why])
})

test.each(ASKS)('asks: %j', (command) => {
  const { effect, why } = effectOf(command, placeWith())
  expect([command, effect]).toEqual([command, 'changing'])
  expect(why).toMatch(/^[\x20-\x7e\u00a0-\uffff]{3,300}$/)
})

test('what a shell would do besides asks, wherever it is put into a command that reads', () => {
  const more = ['; rm x', '\nrm x', ' && rm x', ' | sh', ' > x', ' & rm x', ' $(rm x)', ' `rm x`']
  const open = /[#\\]|<<|'[^']*$|for |while |if /
  for (const command of READS.filter((one) => !open.test(one)))
    for (const change of more)
      expect([command + change, effectOf(command + change, placeWith()).effect]).toEqual([
        command + change,
        'changing',
      ])
})

test('a command of any length is answered at once', () => {
  const long = (piece: string, ends = '') => piece.repeat(Math.ceil(200_000 / piece.length)) + ends
  const near = (piece: string, ends = '') => piece.repeat(Math.floor(90_000 / piece.length)) + ends
  const texts = [
    ...[long('ls; '), long('a'), long('$(')],
    ...[near('ls; ', 'ls'), near('"$(', 'ls'), near('ls | ', 'ls'), `ls ${near('a*')}`],
    ...[`ls ${near('{a,b}')}`, `ls ${near('{a,')}`, `ls ${near('${x')}`, `cat ${near('<(')}`],
    ...[`awk '${near('{ print > ')}'`, `awk '${near('a ')}'`, `awk '${near('/[')}'`],
    ...[`sed -n '${near('1,2p;')}'`, `sed 's/${near('[a')}/b/'`, `sed 's/${near('\\(')}/b/'`],
    ...[`find . ${near('-name x ')}`, `printf '${near('%s')}' x`, `ls ${near('\\\n')}`],
    ...[`cat <<'E'\n${near('x\n')}E`, `git log ${near('--a')}`, `cd ${near('../')}`],
    ...[near('x=a; '), near('cd /a; '), `agent-chat send @x '${near('text ')}'`],
  ]
  const timeOf = (text: string) => {
    const from = performance.now()
    effectOf(text, placeWith())
    return performance.now() - from
  }
  // None may take as long as thousands of plain ones of that length.
  const plain = [1, 2, 3, 4, 5].map(() => timeOf(`echo '${near('text ')}'`))
  // A machine that does other work meanwhile may be late once.
  const isSlow = (text: string) => timeOf(text) > 3000 * Math.max(...plain)
  const slow = texts.filter((text) => isSlow(text) && isSlow(text))
  expect(slow.map((text) => text.slice(0, 40))).toEqual([])
})
