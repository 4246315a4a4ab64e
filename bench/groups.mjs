/**
 * The groups of the benchmark by name, in the order of the report. Each is loaded when it is run.
 * @type {Record<string, () => Promise<(plan: import('./group.mjs').Plan) => Promise<import('./group.mjs').Part>>>}
 */
export const GROUPS = {
  startup: async () => (await import('./startupGroup.mjs')).startupGroup,
  stranger: async () => (await import('./stranger.mjs')).strangerGroup,
  send: async () => (await import('./send.mjs')).sendGroup,
  ring: async () => (await import('./ringGroup.mjs')).ringGroup,
  throughput: async () => (await import('./throughput.mjs')).throughputGroup,
  growth: async () => (await import('./growth.mjs')).growthGroup,
  memory: async () => (await import('./memory.mjs')).memoryGroup,
  seed: async () => (await import('./seed.mjs')).seedGroup,
}
