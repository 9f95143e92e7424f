/** A whole number with its commas; by hand, since the first Intl object of a page takes 40 ms before it is drawn. */
export const inWords = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** "1 recipient", "1,204 recipients". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${inWords(count)} ${count === 1 ? one : many}`

/** Is made ready when the first date is written, for the same reason. */
export function dateWriter(options: Intl.DateTimeFormatOptions): (date: Date | number) => string {
  let format: Intl.DateTimeFormat | undefined
  return (date) => {
    format ??= new Intl.DateTimeFormat('en-US', options)
    return format.format(date)
  }
}

const dateAndTime = dateWriter({
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** In the time zone of whoever looks: "11/12/2026, 09:30 AM". */
export const dateWords = (date: string): string => dateAndTime(new Date(date))
