import { boot } from './boot/boot.ts'

boot(__dirname, 'cli.js')
