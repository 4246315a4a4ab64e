/**
 * Days of turns that messages began. Each day is a project of its own: what is allowed there was
 * written down before the day was run, and a day is a list of turns, with one line a call.
 * `dialogs`: as many as are put to the human, who says yes to each.
 */
export type Day = {
  day: string
  /** At most eight lines. */
  allowed: string[]
  turns: string[][]
  dialogs: number
}

/** A call of Edit, with the file that it is about; other lines are commands, or tools of MCP. */
export const EDIT = 'EDIT '

export const DAYS: Day[] = [
  {
    day: 'research',
    allowed: ['git fetch', 'curl -s localhost:3000/health'],
    turns: [
      ['git log -5', 'gh pr view 12'],
      ['grep -rn amount src'],
      ['git fetch', 'git status'],
      ['ls'],
      ['node -e "console.log(1)"'],
      ['git diff HEAD~1'],
      ['cat package.json'],
      ['curl -s localhost:3000/health'],
    ],
    dialogs: 0,
  },
  {
    day: 'tests in JavaScript',
    allowed: ['npm test', 'npx vitest run', 'npx tsc --noEmit', 'pnpm test'],
    turns: [
      ['npm test'],
      ['npx vitest run src/a.test.ts'],
      ['npx tsc --noEmit'],
      ['npm test'],
      ['npm test 2>&1 | tail -20', 'npx tsc --noEmit'],
      ['pnpm test'],
      ['npm test src/a.ts'],
      ['npx vitest run src/b.test.ts', 'npx vitest run'],
    ],
    dialogs: 0,
  },
  {
    day: 'tests in Python',
    allowed: ['pytest', 'ruff check', 'uv run pytest', 'pip list'],
    turns: [
      ['pytest'],
      ['pytest tests/test_a.py'],
      ['ruff check'],
      ['ruff check .', 'pytest'],
      ['pip list'],
      ['pytest tests/test_a.py::test_b | tail'],
      ['uv run pytest'],
      ['pytest'],
    ],
    dialogs: 0,
  },
  {
    day: 'Rust and Go',
    allowed: [
      ...['cargo test', 'cargo check', 'cargo clippy', 'cargo tree'],
      ...['go test', 'go vet', 'go list'],
    ],
    turns: [
      ['cargo test'],
      ['cargo test parser', 'cargo clippy'],
      ['cargo clippy', 'cargo check'],
      ['go test ./...'],
      ['go test ./store', 'git log -3'],
      ['cargo tree'],
      ['go list ./...', 'go vet ./...'],
      ['ls'],
    ],
    dialogs: 0,
  },
  {
    day: 'edits',
    allowed: ['npm test', 'npx vitest run', 'npx tsc --noEmit', 'git add'],
    turns: [
      [`${EDIT}src/a.ts`, 'npm test', `${EDIT}src/b.ts`, 'npm test'],
      [`${EDIT}src/a.ts`, 'npx tsc --noEmit'],
      [`${EDIT}src/a.ts`, 'npm test'],
      [`${EDIT}src/a.ts`, `${EDIT}src/b.ts`, 'npx vitest run src/a.test.ts'],
      [`${EDIT}src/a.ts`, 'git add src/a.ts'],
      [`${EDIT}src/a.ts`, `${EDIT}src/b.ts`],
    ],
    dialogs: 6,
  },
  {
    day: 'git',
    allowed: [],
    turns: [
      ['git status', 'git commit -m one', 'git commit -m two'],
      ['gh run view --log-failed'],
      ['git push'],
      ['git log -5'],
      ['git merge main'],
      ['git rebase main'],
    ],
    dialogs: 4,
  },
  {
    day: 'containers',
    allowed: ['terraform plan'],
    turns: [
      ['docker ps'],
      ['docker logs api'],
      ['kubectl get pods'],
      ['kubectl logs api'],
      ['systemctl status nginx'],
      ['terraform plan'],
      ['docker restart api'],
    ],
    dialogs: 1,
  },
  {
    day: 'MCP',
    allowed: ['mcp__playwright__browser_navigate', 'mcp__playwright__browser_take_screenshot'],
    turns: [
      ['mcp__playwright__browser_navigate', 'mcp__playwright__browser_take_screenshot'],
      ['mcp__github__pull_request_read'],
      ['mcp__context7__resolve-library-id'],
      ['mcp__playwright__browser_take_screenshot'],
      ['mcp__github__merge_pull_request'],
      ['mcp__github__get_issue'],
      ['git status'],
    ],
    dialogs: 1,
  },
]
