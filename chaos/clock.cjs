// @ts-nocheck stands in for Date itself
// Loaded before the program: shifts its clock by as many milliseconds as the file `CHAOS_CLOCK` says now, so that a process that runs sees the
// clock being set. The monotonic clock goes on, as a machine's does.
const { readFileSync } = require('node:fs')

const RealDate = Date
const shift = () => Number(readFileSync(process.env.CHAOS_CLOCK, 'utf8'))
const now = () => RealDate.now() + shift()

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args))
  }
  static now() {
    return now()
  }
}
