export type FormField = {
  name: string
  content: string | Buffer
  filename?: string
  type?: string
}

/** A form as it is posted, byte for byte: `FormData` would change the line breaks of what is in it. */
export function multipartBody(fields: readonly FormField[], boundary = 'xYzZY'): Buffer {
  const pieces = fields.flatMap(({ name, content, filename, type }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename.replaceAll('"', '\\"')}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const multipartType = (boundary = 'xYzZY'): string => `multipart/form-data; boundary=${boundary}`

export function urlEncodedBody(fields: readonly FormField[]): Buffer {
  const coded = (content: string | Buffer) =>
    Buffer.from(content)
      .toString('latin1')
      .replace(/[^\w.*-]/g, (one) =>
        one === ' ' ? '+' : `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      )
  return Buffer.from(fields.map(({ name, content }) => `${coded(name)}=${coded(content)}`).join('&'))
}
