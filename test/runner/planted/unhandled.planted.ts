import { test } from 'vitest'

test('leaves something behind', async () => {
  void Promise.reject(new Error('nobody catches this'))
  await new Promise((resolve) => setTimeout(resolve, 20))
})
