import { boot } from './src/boot/boot.ts'

// `npm run setup` is `agent-chat setup`.
process.argv.splice(2, 0, 'setup')
boot(__dirname, 'cli.js')
