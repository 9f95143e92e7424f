import { type PhraseGroup, said } from './phrase-group.ts'

/** About the sender or the mail. They come first: "sender domain not found" must not pass for a missing recipient. */
export const OF_THE_MAIL: PhraseGroup[] = [
  {
    cause: 'authentication',
    phrases: said(`
      spf check failed | spf fail | spf: fail | spf record | failed spf | not permitted by spf
      sender policy framework | failed dmarc | dmarc policy | dmarc check | dmarc evaluation
      dmarc verification | domain's dmarc | dkim check failed | dkim signature | dkim verification
      unauthenticated email | unauthenticated mail | this mail is unauthenticated | is unauthenticated
      required authentication level | authentication required | authentication is required
      smtp authentication | sender id * fail | sender is unauthenticated | must issue a starttls
      starttls is required | tls is required | encryption required
      not rfc 2822 compliant * authentication | client was not authenticated | arc seal
    `),
  },
  {
    cause: 'policy',
    phrases: said(`
      sender address rejected | sender rejected | sender denied | sender verify failed
      sender verification failed | verify sender | sender domain | domain of sender | sender's domain
      sender address does not exist | sender not allowed | invalid sender | bad sender | unresolvable from | domain may not exist
      mail from domain | mail from address | from address is not | from address refused
      originator address | return path does not exist | helo command rejected | helo name | invalid helo
      bad helo | ehlo name | too many recipients | rate limit | rate-limit | ratelimit
      limit exceeded for sender | receiving mail at a rate | receiving mail too quickly | sending rate
      sending limit | hourly limit | daily limit | daily sending quota | daily user sending
      maximum number of messages | too many messages | too many connections | too many concurrent
      too many sessions | too many errors | too many invalid recipients | connection limit
      connection frequency | frequency limited | mailbox unavailable or access denied
      not authorized to send | not authorised to send | not allowed to send
      not permitted to send | don't have permission to | do not have permission to
      not have permission to | permission denied to send | only accepts mail from | only accept mail from
      only accepts messages from | from people on its allowed senders | restricted address
      delivery not authorized | delivery not authorised | you are not allowed | you are not authorized
      you may not have permission | post by non-member | non-members | members only | member of the list
      not a member | not subscribed | resolver.rst.notauthorized | resolver.rst.authrequired
      resolver.rst.restrictedtorecipientspermission | message not accepted for policy reasons
      policy reasons | message refused by policy | violates our policy | violates policy
      local policy violation | policy violation | against our policy
      administratively prohibited | administratively denied | prohibited by administrator
      protocol violation | improper use of smtp | bare lf | bare line feed | not rfc compliant
      rfc 5322 compliant | not comply with rfc | duplicate header | multiple from | recipient filter
      recipient has rejected | refused by recipient | rejected by recipient | user has rejected
      user rejected the | blocked by recipient | has been blocked by the recipient | recipient whitelist
    `),
  },
  {
    cause: 'blocked',
    phrases: said(`
      spamhaus | spamcop | sorbs | barracudacentral | barracudanetworks.com/reputation | abuseat | dnsbl
      mailspike | senderbase | blacklist | black list | blocklist | block list | blocked list | deny list
      denylist | banned sending ip | ip address is banned | you are banned | has been banned
      poor reputation | bad reputation | low reputation | reputation score | ip reputation
      sender reputation | domain reputation | reputation of | due to your reputation
      client host rejected | client host blocked | client host * blocked | client ip * blocked
      host is blocked | host blocked | ip blocked | ip * is blocked | ip * has been blocked
      ip address has been blocked | your ip * blocked | ip addresses * blocked | network is on our block
      part of their network is on | server is blocked | server * has been blocked | domain is blocked
      domain * has been blocked | connection refused by policy | connection rejected by policy
      connections from this host | connections from * not accepted | connections not accepted from
      not accepting mail from | not accept mail from | refused to accept mail from | mail from * refused
      mail from * not accepted | messages from * temporarily deferred due to | messages from * weren
      temporarily deferred due to user complaints | user complaints | unexpected volume | reverse dns
      reverse lookup | reverse-dns | ptr record | no ptr | no rdns | missing ptr
      cannot find your hostname | cannot find your reverse hostname | fix reverse dns | dynamic ip
      dynamic/generic | dialup | bad dns ptr | invalid ptr | listed at | is on our list of
      access denied * banned | access from ip | denied [cs | con-t | pol-p | con-p | rly:b | rly:cs
      dns:nr | hvu:b | rtr:b | rp-001 | oc-001 | _rbl | is listed in | are listed in | currently listed
      listed by *bl
    `),
  },
  {
    cause: 'content',
    phrases: said(`
      content rejected | content reject | rejected due to content | rejected because of its content
      content filter | content violation | content policy | objectionable content | prohibited content
      unacceptable content | header check | body check | spam message | message is spam | is spam
      as spam | spam content | spam detected | spam-like | spam score | spam rejected | rejected as spam
      considered spam | considered as spam | considered unsolicited | likely unsolicited
      unsolicited mail | unsolicited bulk | unsolicited email | unsolicited message | suspected spam
      suspected to be spam | identified as spam | classified as spam | looks like spam | look like spam
      appears to be spam | appears to be unsolicited | probable spam | high probability of spam
      probably spam | marked as spam | this is spam | spam mail | spamassassin | spam filter
      spam firewall | anti-spam | antispam | junk mail | blocked due to spam | blocked using spam
      blocked by our spam | phishing | malware | trojan | dangerous attachment | attachment * not allowed
      attachment type | attachment removed | illegal attachment | blocked attachment | file type * not
      banned attachment | banned file | banned name | banned content | banned contents | illegal 8-bit
      invalid character | mime error | contains a url | url listed | url * blocked | link * blocked
      surbl | uribl | denied due to spam list | blocked for security reasons | contains illegal
    `),
  },
  {
    cause: 'too-large',
    phrases: said(`
      message too large | message is too large | message size exceeds | message size * exceed
      message exceeds | message length exceeds | message too big | message is too big | mail too large
      mail is too large | mail size | email too large | exceeds maximum message size
      exceeds the maximum message size | exceeds size limit | exceeds the size limit
      exceeds fixed maximum | exceeds fixed limit | exceeded size limit
      exceeded maximum inbound message size | exceeded the maximum incoming | maximum allowed message size
      maximum message size | maximum size | max message size | size limit for
      larger than the current system limit | larger than * limit | larger than the size limit
      too large for this recipient | line too long | message header size | headers too large
      recipsizelimit | sendsizelimit | over the maximum size | size restrictions
    `),
  },
]
