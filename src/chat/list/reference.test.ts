import { expect, test } from 'vitest'
import { referenceOf, saysAll } from './reference.ts'

const fits = (told: string, text: string) => saysAll(told, referenceOf(text).words)

test.each([
  ['groceries', 'Grocery shopping list'],
  ['grocery', 'Buy groceries'],
  ['the grocery one', 'Buy groceries'],
  ['my task about groceries', 'Grocery shopping list'],
  ['groc', 'Buy groceries'],
  ['grocer', 'Grocery shopping list'],
  ['shop', 'Grocery shopping list'],
  ['test', 'Write tests'],
  ['tests', 'Test the page'],
  ['log', 'Read the logs'],
  ['logs', 'Log in'],
  ['boxes', 'Move the box'],
  ['the box', 'Move boxes'],
  ['movies', 'Choose a movie'],
  ['cookie', 'Bake cookies'],
  ['dishes', 'Wash the dish'],
  ['migrat', 'Database migrations'],
  ['Zähne', 'zähne putzen'],
  ['the DENTIST', 'Call dentist'],
])('%j means %j', (text, told) => expect(fits(told, text)).toBe(true))

test.each([
  ['log', 'Catalogue the books'],
  ['the one', 'Buy one'],
  ['dog', 'Buy groceries'],
  ['grocery boat', 'Buy groceries'],
  ['bus', 'Pay the bu'],
  ['', 'Anything'],
  ['!!!', 'Anything'],
])('%j does not mean %j', (text, told) => expect(fits(told, text)).toBe(false))

test.each([
  ['1', 1],
  ['#1', 1],
  ['1)', 1],
  ['task 12', 12],
  ['number 3', 3],
  ['No. 4', 4],
  ['the first one', 1],
  ['first', 1],
  ['my second task', 2],
  ['the 2nd', 2],
  ['the last one', -1],
  ['the first aid kit', undefined],
  ['0', undefined],
  ['1234', undefined],
  ['grocery', undefined],
] as const)('%j is the place %s', (text, place) => expect(referenceOf(text).place).toBe(place))
