import { expect, test } from 'vitest'
import { bareCheck, isCheck } from './operands.ts'

const wordsIn = (text: string) => text.split(' ')

test.each([
  ['pytest -q tests', 'pytest', 'tests'],
  ['pytest tests -x -q --tb=short --maxfail=1', 'pytest', 'tests'],
  ['pytest -k login --collect-only', 'pytest', ''],
  ['python -m pytest -m slow', 'python -m pytest', ''],
  ['cargo test -p core --lib parser', 'cargo test', 'parser'],
  ['cargo clippy --all-targets -- -D warnings', 'cargo clippy', ''],
  ['cargo test flaky -- --nocapture --test-threads=1', 'cargo test', 'flaky'],
  ['cargo tree -i serde', 'cargo tree', ''],
  ['cargo tree -d --depth 2', 'cargo tree', ''],
  ['go test -run TestA -race -count=1 ./...', 'go test', './...'],
  ['npx vitest run -t login src/a.test.ts', 'npx vitest run', 'src/a.test.ts'],
  ['npx eslint --max-warnings 0 src', 'npx eslint', 'src'],
  ['ruff check --select E501 src', 'ruff check', 'src'],
  ['mypy --strict src', 'mypy', 'src'],
])('%s is %s with %j', (text, check, operands) => {
  expect(bareCheck(wordsIn(text))).toEqual({
    check: wordsIn(check),
    operands: operands === '' ? [] : wordsIn(operands),
  })
  expect(isCheck(wordsIn(text), undefined)).toBe(true)
})

test.each([
  ...['pytest -p evil', 'pytest -c x.ini', 'pytest -o cache_dir=x', 'pytest --rootdir=x'],
  ...['pytest --basetemp=x', 'pytest --junitxml=x', 'pytest --pdb', 'pytest -qp evil', 'pytest -k'],
  ...['pytest -k --pdb', 'pytest --cov-report=html:x', 'pytest --pastebin=all', 'pytest --tb=a/b'],
  ...['cargo test --config x', 'cargo test --manifest-path x', 'cargo check --target-dir x'],
  ...['cargo clippy --fix', 'cargo clippy --allow-dirty', 'cargo test -Z x', 'cargo test -j x'],
  ...['cargo test -p https://evil/x', 'cargo test -p /x', 'cargo clippy -- -C linker=x'],
  ...['cargo tree --manifest-path x', 'cargo tree --config x', 'cargo tree --target x.json'],
  ...['cargo clippy -- -o x', 'cargo test --target x.json', 'cargo run', 'cargo test --profile x'],
  ...[
    'go test -exec x',
    'go test -exec=x',
    'go test -toolexec x',
    'go test -o x',
    'go vet -vettool=x',
  ],
  ...['go test -coverprofile=x', 'go test --exec x', 'go test -args', 'go list -modfile=x'],
  ...['go test -overlay=x', 'go test -run ../x -o y', 'go test -C /x ./...'],
  ...['vitest run --config x', 'vitest run -u', 'vitest run --outputFile=x', 'vitest run --dir=x'],
  ...['vitest run --reporter=./x.js', 'jest --config x', 'jest --globalSetup x', 'jest -u'],
  ...['eslint --fix', 'eslint --fix-dry-run', 'eslint -o x', 'eslint --rulesdir x', 'eslint -c x'],
  ...['eslint --resolve-plugins-relative-to x', 'eslint -f ./x.js', 'eslint --cache-location x'],
  ...['tsc --noEmit -p x', 'tsc --noEmit --incremental', 'tsc --noEmit --tsBuildInfoFile x'],
  ...['ruff check --fix', 'ruff check --unsafe-fixes', 'ruff check --config x', 'ruff check -o x'],
  ...['ruff check --output-file x', 'ruff check --cache-dir x', 'ruff check --add-noqa'],
  ...['mypy --config-file x', 'mypy --python-executable x', 'mypy --html-report x', 'mypy -c x'],
  ...['mypy --install-types', 'mypy --cache-dir x', 'prettier --check --write x'],
])('%s may do more', (text) => expect(isCheck(wordsIn(text), undefined)).toBe(false))
