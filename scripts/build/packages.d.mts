import type { Plugin } from './plugins.mts'

export function packages(): Plugin
