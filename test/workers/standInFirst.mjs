// Loaded before the program: for the command `work`, the stand-in runs in its place, and ends the process itself.
const [command] = process.argv.slice(process.argv.findIndex((one) => one.endsWith('main.js')) + 1)
if (command === 'work') {
  await import('./standIn.mjs')
  await new Promise(() => {})
}
