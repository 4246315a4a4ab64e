// The floor of the doorbell `stdout`: prints a line when something happens in a directory, once for what comes together, and one when it has begun to watch.
import { watch } from 'node:fs'

let quiet = true

watch(process.argv[2] ?? '', () => {
  if (!quiet) return
  quiet = false
  process.stdout.write('it happened\n')
  setTimeout(() => {
    quiet = true
  }, 100)
})
process.stdout.write('ready\n')
