import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'vitest'
import { stageFor } from './stage.ts'

const OUT = '/tmp/m-scratch/eyes.txt'
test.each([
  [80, 24],
  [40, 15],
  [120, 36],
] as const)('eyes %i %i', async (c, r) => {
  const { pane, chat } = await stageFor({ size: [c, r] })
  const look = async (what: string) => {
    await delay(1500)
    appendFileSync(OUT, `\n=== ${c}x${r} ${what}\n${await pane.screen()}`)
  }
  await pane.submit('hello')
  await pane.waitFor(/● ok/)
  await chat(['pause'])
  await chat(['join', 'a-rather-long-name-of-32-letters'], 'a-rather-long-name-of-32-letters')
  await chat(
    ['send', '@frontend', '-s', 'API contract 列を削除しますか 列を削除しますか', 'x'],
    'backend',
  )
  await look('unread')
  await chat(
    [
      'escalate',
      'Drop the column now, or keep it for one more release until everybody has moved?',
      '--option',
      'drop it',
      '--option',
      'keep it for a release',
      '--option',
      'はい、今すぐ削除',
      '--option',
      'ask me tomorrow',
    ],
    'backend',
  )
  await pane.type('half a draft')
  await delay(9000)
  await look('decision')
  await chat(
    ['escalate', 'Second?', '--option', 'yes', '--option', 'no'],
    'a-rather-long-name-of-32-letters',
  )
  for (let n = 0; n < 21; n++)
    await chat(['send', '@frontend', `number ${n}`], 'a-rather-long-name-of-32-letters').catch(
      () => '',
    )
  await delay(9000)
  await look('two, and held')
  await pane.key('C-u')
  await pane.submit('/room')
  await pane.waitFor(/write/)
  await look('pane')
  await pane.type('typed in the field')
  await look('field')
  await pane.key('Escape')
  await look('closed')
})
