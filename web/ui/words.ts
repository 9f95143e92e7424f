const number = new Intl.NumberFormat('en-US')

export const inWords = (count: number): string => number.format(count)

/** "1 recipient", "1,204 recipients". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${inWords(count)} ${count === 1 ? one : many}`

const dateAndTime = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** In the time zone of whoever looks: "11/12/2026, 09:30 AM". */
export const dateWords = (date: string): string => dateAndTime.format(new Date(date))
