import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Template } from '../../contract/templates.ts'
import { finished, recipients } from '../test/campaigns.ts'
import { write } from '../test/inbox.ts'
import { aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { aTemplate, dataOf, historyOf, suppress, written, writtenText } from '../test/telegram-letters.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

const FAILED = { kind: 'answer', status: 400, description: 'Bad Request: no', when: 'before' } as const

const MASK = {
  mask: [
    [/ann\d+/, 'ann'],
    [/\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M/, 'TIME'],
  ] as const,
}

describe('a letter', () => {
  it('is written by typing, previewed with the exact count, and sent', async () => {
    const { user, person } = await aLinkedChat(app)
    await suppress(user, 'gone@example.test')
    const list = 'Ann Lee <ann@x.test>, bob@x.test; BOB@x.test\ngone@example.test, "Ford, Tom" <tom@x.test>'
    const preview = await written(person, list, 'Hello <b>all</b> & sundry')
    expect(preview.buttons).toEqual([
      ['Send to 3'],
      ['Edit subject', 'Edit body'],
      ['Edit recipients', 'Discard'],
    ])
    const said = person.transcript(MASK)
    expect(said.slice(said.indexOf('Ann: /send'))).toMatchInlineSnapshot(`
      "Ann: /send
      Bot: What is the subject? In one line, please.

        /cancel leaves this, /send brings you back.
      Ann: Hello <b>all</b> & sundry
      Bot: Now the text. It may come in several messages, or as a .txt file, which keeps every line as it is.

        /cancel leaves this, /send brings you back.
      Ann: How are you?
      Bot: To whom shall Hello <b>all</b> & sundry go?

        Send their addresses, with commas, semicolons or new lines between them and with names if you like: Ann Lee <ann@example.com>. They may come in several messages, or as a file (CSV or text, up to 20 MB). A letter takes up to 100,000 recipients.

        /cancel leaves this, /send brings you back.
      Ann presses [Done]
      Ann: Ann Lee <ann@x.test>, bob@x.test; BOB@x.test
        gone@example.test, "Ford, Tom" <tom@x.test>
      Bot: 📨 To 3 people
        1 duplicate ignored
        1 on your suppression list and left out: gone@example.test
        Subject: Hello <b>all</b> & sundry
        From: ann <mail@postrider.localhost>
        Reply-to: ann@example.test

        How are you?
        [Send to 3]
        [Edit subject] [Edit body]
        [Edit recipients] [Discard]"
    `)
    await person.presses('Send to 3')
    const card = await person.hears(/recipients\n/)
    expect(card.id).toBe(preview.id)
    const [campaign] = await historyOf(user)
    expect(campaign).toMatchObject({
      subject: 'Hello <b>all</b> & sundry',
      body: 'How are you?',
      senderName: user.email.split('@')[0],
      replyTo: user.email,
      recipientCount: 4,
    })
    const { counts } = await finished(user.browser, campaign?.id ?? '')
    expect([counts.accepted, counts.suppressed]).toEqual([3, 1])
    await person.hears(/3 accepted/)
  })

  it('begins as a template, those used last first, and counts its use', async () => {
    const { user, person } = await aLinkedChat(app)
    await aTemplate(user, {
      name: 'Old </b> one',
      subject: '<i>Tags</i> & more',
      body: '<a href="x">no</a> '.repeat(200),
    })
    for (let count = 1; count <= 7; count++) await aTemplate(user, { name: `Letter ${count}` })
    await person.says('/templates')
    const list = await person.hears(/8 templates/)
    expect(list.buttons.at(-1)).toEqual(['More ›'])
    await person.presses('More ›')
    await person.presses('Old </b> one')
    const one = await person.hears(/Used 0 times/)
    expect(one.text).toContain('<i>Tags</i> & more')
    expect(one.text).toMatch(/and 2,[68]\d\d more characters/)
    await person.presses('Use')
    await person.hears(/To whom/)
    await person.says('bob@x.test')
    await person.presses('Send to 1')
    await person.hears(/1 recipient/)
    const templates = (await user.browser.get('/api/templates')).json() as Template[]
    expect(templates.find(({ name }) => name.startsWith('Old'))?.usageCount).toBe(1)
    await person.says('/send')
    expect((await person.hears(/Which letter/)).buttons[0]).toEqual(['Old </b> one'])
  })

  it('goes to the 2,000 people of a file, and its card shows what becomes of it', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app)
    await suppress(user, 'file7@example.test')
    await aTemplate(user)
    const rows = [...recipients(2000, 'file'), 'FILE1@example.test'].map(
      (address, n) => `"Nr, ${n}",${address}`,
    )
    await person.says('/send')
    await person.presses('News')
    await person.hears(/To whom/)
    await person.sends('photo')
    await person.hears(/not pictures/)
    await person.sendsFile('people.xlsx', 'PK', { type: 'application/vnd.ms-excel' })
    await person.hears(/save it as CSV/)
    await person.sendsFile('huge.csv', 'a', { size: 21 * 1024 * 1024 })
    await person.hears(/larger than 20 MB/)
    await person.sendsFile('people.csv', `Name,E-mail\n${rows.join('\n')}\nNobody,\n`, { type: 'text/csv' })
    const preview = await person.hears(/Reply-to/)
    expect(preview.text).toContain('2,001 addresses read from people.csv, 1 row without an address.')
    expect(preview.text).toContain(
      'To 1,999 people\n1 duplicate ignored\n1 on your suppression list and left out: file7@example.test',
    )
    await person.presses('Send to 1,999')
    await person.hears(/1,999 accepted/, { within: 30_000 })
    const [campaign] = await historyOf(user)
    expect(campaign).toMatchObject({ recipientCount: 2000, counts: { accepted: 1999, suppressed: 1 } })
    expect(app.running.logged()).not.toContain(app.telegram.token)
  })

  it('has a text of many messages, or of a file, as it is', { tags: 'thorough' }, async () => {
    const { user, person } = await aLinkedChat(app)
    await person.says('/send')
    await person.hears(/subject/)
    await person.says('two\nlines')
    await person.hears(/line break/)
    await person.says('One line')
    await person.hears(/Now the text/)
    const long = Array.from({ length: 2_000 }, (_, n) => `line ${n}`).join('\n')
    await person.says(long)
    await person.hears(`The text has ${long.length.toLocaleString('en-US')} characters`)
    // What is said to it is lost on the way, so it is handled again.
    app.telegram.lieNext('sendMessage', FAILED)
    await person.says('The end.')
    await person.hears(`The text has ${(long.length + 9).toLocaleString('en-US')} characters`)
    await person.presses('Done')
    await person.hears(/To whom/)
    const addresses = recipients(400, 'split').join(', ')
    await person.says(addresses)
    await person.hears(/To 400 people/)
    await person.presses('Edit body')
    await person.hears(/Send the new text/)
    await person.sendsFile('letter.txt', 'Über\r\nalles\r\n')
    await person.presses('Done')
    await person.presses('Send to 400')
    await person.hears(/400 recipients/)
    expect((await historyOf(user))[0]?.body).toBe('Über\nalles')
  })
})

describe('entries that are no addresses', () => {
  it('are named, keep the letter from being sent, and are left out when somebody says so', async () => {
    const { user, person } = await aLinkedChat(app)
    const bad = Array.from({ length: 12 }, (_, n) => `bad<${n}`)
    await writtenText(person)
    await person.says(['good@x.test', ...bad].join('\n'))
    const told = await person.hears(/These 12 are not valid e-mail addresses/)
    expect(told.text).toContain('• "bad<0"')
    expect(told.text).toContain('and 2 more')
    expect(told.buttons).toEqual([['Leave these out', 'New list']])
    await person.says('better@x.test')
    await person.hears(/2 others are kept/)
    expect(await person.presses('Leave these out', told)).toMatch(/older than your letter/)
    await person.presses('Leave these out')
    expect((await person.hears(/To 2 people/)).buttons[0]).toEqual(['Send to 2'])
    await suppress(user, 'good@x.test', 'better@x.test')
    expect(await person.presses('Send to 2')).toMatch(/nobody left/)
    expect((await person.hears(/Nobody is left/)).buttons.flat()).not.toContain('Send to 0')
    expect(await historyOf(user)).toEqual([])
  })
})

describe('an unfinished letter', () => {
  it('of a template that was changed since is asked about before anybody goes on with it', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app)
    const { id } = await aTemplate(user, { subject: 'May sale' })
    const use = async () => {
      await person.says('/templates')
      await person.presses('News')
      await person.presses('Use')
    }
    await use()
    await person.hears(/To whom shall May sale go/)
    await use()
    await person.hears(/To whom shall May sale go/)
    const change = { name: 'News', subject: 'June sale', body: 'Hi' }
    expect((await write(user.browser, 'PUT', `/api/templates/${id}`, change)).status).toBe(200)
    await use()
    expect((await person.hears(/not sent yet/)).text).toContain('Subject: May sale')
    await person.presses('Begin anew')
    await person.presses('News')
    await person.hears(/To whom shall June sale go/)
  })

  it('is offered again, edited, and discarded', async () => {
    const { user, person } = await aLinkedChat(app)
    await written(person, 'bob@x.test', 'Half')
    await person.says('/cancel')
    await person.says('/send')
    await person.hears(/not sent yet/)
    await person.presses('Go on')
    await person.presses('Edit subject')
    await person.hears(/The subject is: Half/)
    await person.says('Whole')
    await person.hears(/Subject: Whole/)
    await person.presses('Edit recipients')
    await person.presses('New list')
    await person.hears(/To whom shall Whole go/)
    await person.says('tom@x.test')
    await person.hears(/To 1 person/)
    await person.presses('Discard')
    await person.presses('Discard it')
    await person.hears(/discarded/)
    expect(await person.pressesForged(1, dataOf(app, 'go'))).toMatch(/not there any more/)
    await person.says('/send')
    await person.hears(/subject/)
    expect(await historyOf(user)).toEqual([])
  })
})
