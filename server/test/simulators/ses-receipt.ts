import type { ArrivedMail } from './brought-mail.ts'

type Options = {
  encoding?: 'UTF-8' | 'Base64'
  /** Whether the encoding is told beside the mail; Amazon's own examples do not. */
  isTold?: boolean
  /** The mail lies in a bucket, and is only told of. */
  action?: 'SNS' | 'S3'
}

/** What Amazon SES publishes of a received mail, as a receipt rule makes it do. */
export function receiptOf(mail: ArrivedMail, options: Options = {}): Record<string, unknown> {
  const { encoding = 'Base64', isTold = false, action = 'SNS' } = options
  const content = mail.raw.toString(encoding === 'Base64' ? 'base64' : 'utf8')
  return {
    notificationType: 'Received',
    receipt: {
      timestamp: new Date().toISOString(),
      recipients: mail.to,
      spamVerdict: { status: 'PASS' },
      virusVerdict: { status: 'PASS' },
      action:
        action === 'S3'
          ? { type: 'S3', bucketName: 'mails', objectKey: 'x' }
          : { type: 'SNS', ...(isTold ? { encoding: encoding.toUpperCase() } : {}) },
    },
    mail: { source: mail.from, messageId: 'x', destination: mail.to, headersTruncated: false, headers: [] },
    ...(action === 'S3' ? {} : { content }),
  }
}
