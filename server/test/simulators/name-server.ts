import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** What is answered for a name: its addresses, nothing at all, or that the server is in trouble. A name without is unknown. */
type Zone = Record<string, readonly string[] | 'silent' | 'silent about IPv6' | 'in trouble'>

const A = 1
const AAAA = 28
const IN_TROUBLE = 2
const NO_SUCH_NAME = 3
/** A response, to a question that may be handed on, by a server that does so. */
const FLAGS = 0x8180
const NAME_OF_THE_QUESTION = Buffer.from([0xc0, 12])

/** Speaks DNS over UDP (RFC 1035) for the names of a zone. */
export async function startNameServer(zone: Zone) {
  const asked: string[] = []
  const socket = createSocket('udp4', (message, from) => {
    const { name, type, end } = readQuestion(message)
    asked.push(name)
    const known = zone[name]
    if (known === 'silent' || (known === 'silent about IPv6' && type === AAAA)) return
    const question = message.subarray(0, end)
    socket.send(answer(question, { known, type }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    asked,
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.dispose]: () => void socket.close(),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answer(
  question: Buffer,
  { known, type }: { known: Zone[string] | undefined; type: number },
): Buffer {
  const addresses = known === 'silent about IPv6' ? ['192.0.2.7'] : Array.isArray(known) ? known : []
  const fitting = addresses.filter((address) => address.includes(':') === (type === AAAA))
  const records = type === A || type === AAAA ? fitting.map((address) => record(type, bytesOf(address))) : []
  const head = Buffer.from(question)
  const trouble = known === undefined ? NO_SUCH_NAME : known === 'in trouble' ? IN_TROUBLE : 0
  head.writeUInt16BE(FLAGS | trouble, 2)
  for (const [count, place] of [
    [1, 4],
    [records.length, 6],
    [0, 8],
    [0, 10],
  ] as const)
    head.writeUInt16BE(count, place)
  return Buffer.concat([head, ...records])
}

function record(type: number, address: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt16BE(address.length, 8)
  return Buffer.concat([NAME_OF_THE_QUESTION, fields, address])
}

/** An IPv6 address is written with all its eight groups here. */
const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))
