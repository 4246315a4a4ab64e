/**
 * Days of turns that messages began. Each day is a project of its own: what is allowed there was
 * written down before the day was run, and a day is a list of turns, with one line a call.
 * `dialogs`: as many as are put to a human who says yes to each, and never to everything else in the
 * turn, as in a client's own dialog, which has no such choice. `opened`: as many where they choose
 * that at the first edit of each turn, as a decision offers it; a day without edits has no other.
 */
export type Day = {
  day: string
  /** At most eight lines. */
  allowed: string[]
  turns: string[][]
  dialogs: number
  opened?: number
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
    dialogs: 10,
    opened: 6,
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
  {
    day: 'a service in Rust',
    allowed: [
      ...['cargo test', 'cargo check', 'cargo clippy', 'cargo fmt --check'],
      ...['cargo clippy --all-targets -- -D warnings', 'cargo build --release'],
      ...['git add', 'git fetch'],
    ],
    turns: [
      ['cargo check 2>&1 | tail -20', 'rg -n "fn parse" src'],
      ['cargo test parser::tests', 'cargo test -p core', 'cargo test --lib'],
      [
        ...[`${EDIT}src/lib.rs`, 'cargo test', 'cargo clippy --all-targets -- -D warnings'],
        'cargo fmt --check',
      ],
      [
        ...['cargo --version && rustc --version', 'cat Cargo.toml'],
        'cargo metadata --no-deps --format-version 1 | jq ".packages[].name"',
      ],
      ['cargo tree -d', 'cargo tree -i serde'],
      ['git diff --stat && git log --oneline -5', 'gh pr checks 41'],
      [
        ...[`${EDIT}src/store.rs`, `${EDIT}src/store/mod.rs`, 'cargo check', 'cargo test store'],
        ...['git add src/store.rs src/store/mod.rs', 'git commit -m "Store keeps order"'],
      ],
      ['cargo build --release', 'ls -la target/release | head', 'du -sh target'],
      ['gh run list --limit 5', 'gh run view 123 --log-failed | tail -50'],
      [`${EDIT}Cargo.toml`, 'cargo update -p serde', 'cargo test'],
      ['git fetch', 'git log HEAD..origin/main --oneline', 'git rebase origin/main'],
      ['RUST_BACKTRACE=1 cargo test flaky', 'cargo test flaky -- --nocapture'],
      ['docker ps --format "{{.Names}}"', 'docker logs --tail 50 db'],
      ['rustup show', 'rustup toolchain list', 'cargo install --list'],
      ['git stash list', 'git branch -vv', 'git show HEAD~1 --stat'],
      ['git push'],
    ],
    dialogs: 19,
    opened: 11,
  },
  {
    day: 'an API in Python, in containers',
    allowed: [
      ...['pytest', 'pytest -q', 'ruff check', 'ruff format --check', 'mypy'],
      ...['docker compose ps', 'git add', 'git fetch'],
    ],
    turns: [
      [...['pytest -q', 'pytest -q tests/api'], 'pytest tests/api/test_users.py::test_login -q'],
      ['ruff check src tests', 'ruff format --check .', 'mypy src'],
      [
        ...['docker compose ps', 'docker compose logs api --tail 50'],
        'docker inspect api --format "{{.State.Status}}"',
      ],
      [`${EDIT}src/users.py`, 'pytest -q tests/api', 'pytest -x -q'],
      ['pip list', 'pip show fastapi', 'pip freeze | grep -i fast', 'python --version'],
      ['python -c "import sys; print(sys.version)"', 'python -m pip list', 'which python'],
      ['curl -s localhost:8000/health', 'docker exec api ls /app'],
      [
        ...[`${EDIT}tests/test_a.py`, `${EDIT}src/a.py`, 'pytest -q tests/test_a.py'],
        ...['ruff check src/a.py', 'git add src/a.py tests/test_a.py'],
        'git commit -m "Fix login"',
      ],
      [
        ...['git diff main...HEAD --stat', 'git log --oneline main..HEAD'],
        'gh pr view --json title,body',
      ],
      ['alembic upgrade head'],
      ['docker compose up -d', 'docker compose logs api'],
      ['docker compose config', 'cat docker-compose.yml', 'docker images | head'],
      ['uv pip list', 'uv tree', 'uv --version'],
      ['pytest --collect-only -q', 'pytest -q -k login', 'coverage report'],
      ['psql -c "select 1"', 'tail -50 logs/app.log', 'jq .version pyproject.json'],
      ['git push origin HEAD', 'gh pr create --fill'],
    ],
    dialogs: 24,
    opened: 20,
  },
]
