import { parentPort } from 'node:worker_threads'
import { readAttachment, readMail } from './read-mail.ts'
import { readPlainly } from './read-plainly.ts'
import type { Answer, Question } from './thread-messages.ts'

/** The thread in which mails are taken apart, one after the other. It may be ended at any moment. */

const port = parentPort
if (!port) throw new Error('this file is the body of a thread')

const tell = (answer: Answer, transferred: ArrayBuffer[] = []): void => port.postMessage(answer, transferred)

async function answer(question: Question): Promise<void> {
  if (question.kind === 'attachment') {
    const file = await readAttachment(question.raw, question.index)
    // A copy of its own: the bytes of a file may be a piece of something larger.
    const bytes = new Uint8Array(file?.bytes ?? [])
    return tell({ kind: 'file', file: file && { ...file, bytes } }, [bytes.buffer])
  }
  const plain = readPlainly(question.raw, question.envelopeFrom)
  if (question.kind === 'read-plainly') return tell({ kind: 'read', mail: { ...plain, isPartial: true } })
  tell({ kind: 'so-far', mail: plain })
  tell({ kind: 'read', mail: await readMail(question.raw, plain) })
}

port.on('message', (question: Question) => {
  answer(question).catch(() => tell({ kind: 'failed' }))
})
tell({ kind: 'ready' })
