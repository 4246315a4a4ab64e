import { expect, test } from 'vitest'
import { placeWith } from '../../testing/place.ts'
import { effectOf } from './reading.ts'

const effect = (command: string) => effectOf(command, placeWith()).effect

const SAFE = 'sqlite3 -safe -readonly'

const QUERIES = [
  'SELECT 1',
  'select name, count(*) from t where a = 1 group by name order by 2 desc limit 5;',
  "SELECT * FROM t WHERE text LIKE '%delete; drop it''s%' AND \"edit\" = 1",
  'SELECT a FROM t; SELECT b FROM u;',
  'SELECT edited FROM t',
  '.tables',
  '.schema',
  '.schema sessions',
]

test.each(QUERIES)('reads: %s', (query) => {
  for (const file of ['/home/me/.app/a.db', 'file:/home/me/.app/a.db?mode=ro', '~/.app/a.db']) {
    if (!query.includes('"'))
      expect(effect(`${SAFE} ${file.replace('?', '\\?')} "${query}"`)).toBe('reading')
  }
  const single = `'${query.replaceAll("'", "'\\''")}'`
  expect(effect(`db=/home/me/.app/a.db; ${SAFE} -header -column "$db" ${single} | head`)).toBe(
    'reading',
  )
})

test.each([
  'INSERT INTO t VALUES (1)',
  'DELETE FROM t',
  'DROP TABLE t',
  'SELECT 1; DELETE FROM t',
  "SELECT 'a'; DELETE FROM t --'",
  'WITH x AS (SELECT 1) DELETE FROM t',
  'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT * FROM c',
  'PRAGMA journal_mode = wal',
  'PRAGMA user_version = 2',
  'ATTACH x AS y',
  'VACUUM INTO x',
  'EXPLAIN DELETE FROM t',
  "SELECT load_extension('x')",
  "SELECT writefile('x', 'y')",
  "SELECT readfile('/dev/tty')",
  "SELECT edit('x', 'touch y')",
  "SELECT edit ('x', 'touch y')",
  "SELECT \"edit\"('x', 'touch y')",
  "SELECT [edit]('x', 'touch y')",
  "SELECT `edit`('x', 'touch y')",
  "SELECT EDIT/**/('x', 'touch y')",
  "SELECT \"writefile\"('x', 'y')",
  'SELECT * FROM generate_series(1)',
  "SELECT fts3_tokenizer('x', 'y')",
  "SELECT 'a",
  '.shell touch x',
  '.system touch x',
  '.output x',
  '.once x',
  '.read x',
  '.import x y',
  '.save x',
  '.backup x',
  '.load x',
  '.open x',
  '.schema; .shell x',
  '.tables\n.shell x',
  '',
  ';',
])('asks: %j', (query) => {
  const single = `'${query.replaceAll("'", "'\\''")}'`
  expect(effect(`${SAFE} /home/me/.app/a.db ${single}`)).toBe('changing')
  expect(effect(`${SAFE} /home/me/.app/a.db 'SELECT 1' ${single}`)).toBe('changing')
})

test.each([
  "sqlite3 data.db 'SELECT 1'",
  "sqlite3 -safe data.db 'SELECT 1'",
  "sqlite3 -readonly data.db 'SELECT 1'",
  "sqlite3 -readonly data.db 'SELECT 1' -safe",
  "sqlite3 -readonly -separator -safe data.db 'SELECT 1'",
  "sqlite3 'file:data.db?mode=ro' 'SELECT 1'",
  "sqlite3 -safe -readonly /dev/tty 'SELECT 1'",
  "sqlite3 -safe -readonly 'file:/home/me/.app/%2e%2e/x.db?mode=ro' 'SELECT 1'",
  "sqlite3 -safe -readonly 'file:/home/me/.app/a.db?vfs=x' 'SELECT 1'",
  "sqlite3 -safe -readonly 'file:/home/me/.app/a.db?mode=rwc' 'SELECT 1'",
  'sqlite3 -safe -readonly "$(cat f)" "SELECT 1"',
  'sqlite3 -safe -readonly /home/me/.app/a.db',
  'sqlite3 -safe -readonly /home/me/.app/a.db < f',
  'sqlite3 -safe -readonly /home/me/.app/a.db "$(cat f)"',
  "sqlite3 -safe -readonly -cmd '.shell x' /home/me/.app/a.db 'SELECT 1'",
  "sqlite3 -safe -readonly -init f /home/me/.app/a.db 'SELECT 1'",
  "sqlite3 -safe -readonly -A /home/me/.app/a.db 'SELECT 1'",
  "sqlite3 -safe -readonly /home/me/.app/a.db 'SELECT 1' -cmd '.shell x'",
  "sqlite3 -safe -readonly -vfs x /home/me/.app/a.db 'SELECT 1'",
  'sqlite3 -safe -readonly',
  "sqlite3 -safe -readonly '' 'SELECT 1'",
  "sqlite3 -safe -readonly :memory: 'SELECT 1'",
])('asks: %s', (command) => expect(effect(command)).toBe('changing'))
