import { description, version as packageVersion } from '../package.json'

/** The version in `package.json`, the one place that states it. */
export const version: string = packageVersion

/** One sentence on this program: in the help, the package, the plugin and the README. */
export const TAGLINE: string = description
