import { test } from 'vitest'

test('ends its runner', async () => {
  process.kill(process.ppid, 'SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
