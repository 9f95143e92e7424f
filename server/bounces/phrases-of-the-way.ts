import { type PhraseGroup, said } from './phrase-group.ts'

/** About the servers and the network between, then words that only hint. */
export const OF_THE_WAY: PhraseGroup[] = [
  {
    cause: 'loop',
    phrases: said(`
      mail loop | mail loops | mailloop | routing loop | loop detected | loop back | loops back | looping
      delivery loop | mail forwarding loop | forwarding loop | too many hops | too many received
      hop count | hopcount | message is looping | mail system loop | local configuration error
      mx points to local host | mx record points to local | points to local host | points back to
      lowest numbered mx record points to local
    `),
  },
  {
    cause: 'expired',
    phrases: said(`
      retry timeout exceeded | retry time not reached | message expired | message * expired
      delivery time expired | delivery expired | delivery timed out after | expired before | queue.expired
      queue too long | in the queue too long | been in queue | too long in queue | too long in the queue
      giving up | could not be delivered for * days | could not be delivered for * hours
      not been delivered after | maximum retries | max retries | maximum number of delivery attempts
      delivery failed * attempts | failing for a long time | attempts to deliver * have failed
      undeliverable after | has been undeliverable for | unable to deliver * for * days
      delivery attempts | message timed out | mail expired | time limit exceeded | wasn't delivered within
      within the maximum | lifetime exceeded | too old
    `),
  },
  {
    cause: 'network',
    phrases: said(`
      connection timed out | connection timeout | connection refused | connection reset
      connection dropped | connection closed | connection lost | connection was | connection failed
      connection died | lost connection | timed out | network error | network is unreachable
      network unreachable | network problem | no route to host | host unreachable | host is unreachable
      host unavailable | host is down | unreachable | cannot connect | can't connect | could not connect
      couldn't connect | unable to connect | failed to connect | failed to send to identified host
      wasn't able to establish an smtp connection | did not respond | not responding | no answer from
      no response | not answer | did not accept our requests to connect | no usable | no host
      host lookup did not complete | temporary lookup failure | temporary name | name service error
      name server | dns lookup | dns query | dns failure | dns error | dns server | servfail
      server failure | try again later: dns | cname lookup failed | cname_lookup_failed | mx lookup
      transport endpoint | broken pipe | tls handshake | starttls | ssl error | certificate
      handshake failure | conversation with | deferred: connection | deferred: no route | smtp session
      remote end closed
    `),
  },
  {
    cause: 'temporary',
    phrases: said(`
      temporarily | temporary | try again later | try later | please try again | try again
      service unavailable | service not available | service shutting down | system not accepting
      system is not accepting | server busy | server is busy | too busy | resources temporarily
      insufficient system | insufficient resources | out of memory | local error | system error
      internal error | internal server | server error | server configuration | configuration error
      mailer error | unexpected error | i/o error | input/output error | can't open | cannot open
      can't create | cannot create | can't append | permission denied | read-only file system | read error
      command died | local delivery failed | local problem | died with status | unknown mailer | deferred
      delayed | not yet been delivered | has not been delivered | still being retried | will be retried
      will keep trying | will continue to | warning: message
    `),
  },
  {
    cause: 'full',
    isHint: true,
    phrases: said(`
      quota | storage | disk space | overflow | too many mails
    `),
  },
  {
    cause: 'disabled',
    isHint: true,
    phrases: said(`
      suspended | disabled | inactive | deactivated | discontinued | expired account
    `),
  },
  {
    cause: 'content',
    isHint: true,
    phrases: said(`
      spam | suspicious | message filtered | filtered by | message rejected by | message blocked
      message has been blocked | message was blocked by | virus | infected | worm | bulk mail
      message content | message format | message rejected | message refused | mail rejected | mail refused
      transaction failed | content | attachment
    `),
  },
  {
    cause: 'blocked',
    isHint: true,
    phrases: said(`
      blocked | banned | reputation | refused by | access denied | connection denied | denied by | go away
      residential | listed by
    `),
  },
  {
    cause: 'policy',
    isHint: true,
    phrases: said(`
      policy | policies | administrative prohibition | not allowed | not permitted | not authorized | not authorised | forbidden
      prohibited | rejected by administrator | restricted | security | recipient address rejected
      recipient rejected | recipient refused | whitelist | challenge | refuse to accept | refused
      rejected | denied | syntax error | unrecognized command | command not | protocol
    `),
  },
  {
    cause: 'no-such-mailbox',
    isHint: true,
    phrases: said(`
      not exist | unavailable | mailbox | invalid
    `),
  },
]
