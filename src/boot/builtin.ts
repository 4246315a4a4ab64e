/**
 * One of Node's own modules. `require` does more around it, which takes 0.1 ms the first time; Node
 * 22 before 22.3 has nothing else.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule ?? require
