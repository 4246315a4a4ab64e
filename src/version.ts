import { version as packageVersion } from '../package.json'

/** The version in `package.json`, the one place that states it. */
export const version: string = packageVersion
