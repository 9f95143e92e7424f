import { describe, expect, it } from 'vitest'
import { entriesOfFile, isTable, textOf } from './address-file.ts'
import { rowsOf } from './csv.ts'

describe('a CSV text', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '"a, b",c\n"say ""hi""\nthere",d',
      [
        ['a, b', 'c'],
        ['say "hi"\nthere', 'd'],
      ],
    ],
    [
      'a,\n,b',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a,', [['a', '']]],
    ['"never closed', [['never closed']]],
    ['', []],
  ])('%j is %j', (text, rows) => {
    expect([...rowsOf(text)]).toEqual(rows)
  })
})

describe('a file of addresses', () => {
  const read = (text: string, isCsv = true) => [...entriesOfFile(text, isCsv)]

  it('takes the column with the addresses, without its title, and notices rows that have none', () => {
    expect(read('Name,E-mail,City\n"Keller, Ann",ann@x.test,Bern\nBob,,Rome\nC,c@x.test,@home\n')).toEqual([
      'ann@x.test',
      null,
      'c@x.test',
    ])
  })

  it('takes of two columns with addresses the one that says so', () => {
    expect(read('Manager,Email\nboss@x.test,ann@x.test\nboss@x.test,bob@x.test')).toEqual([
      'ann@x.test',
      'bob@x.test',
    ])
  })

  it('reads a list without titles from the first row on', () => {
    expect(read('ann@x.test\nbob@x.test')).toEqual(['ann@x.test', 'bob@x.test'])
  })

  it('reads a plain text as it would be pasted', () => {
    expect(read('ann@x.test; Bob <bob@x.test>', false)).toEqual(['ann@x.test', 'Bob <bob@x.test>'])
  })

  it.each([
    ['people.csv', '', true],
    ['people.TSV', '', true],
    ['people', 'text/csv', true],
    ['people.txt', 'text/plain', false],
  ])('%s of type %j is a table: %s', (name, type, expected) => {
    expect(isTable(name, type)).toBe(expected)
  })

  it.each([
    ['UTF-8 with its mark', [0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xbc], 'aü'],
    ['UTF-16 as Excel writes it', [0xff, 0xfe, 0x61, 0x00, 0xfc, 0x00], 'aü'],
    ['Windows', [0x61, 0xfc], 'aü'],
  ])('reads %s', (_, bytes, text) => {
    expect(textOf(new Uint8Array(bytes))).toBe(text)
  })
})
