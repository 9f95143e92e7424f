import { type PhraseGroup, said } from './phrase-group.ts'

/** About the address. */
export const OF_THE_ADDRESS: PhraseGroup[] = [
  {
    cause: 'full',
    phrases: said(`
      mailbox full | mailbox is full | mailbox * is full | mail box full | mail box is full
      mailbox has exceeded | mailbox exceeded | mailbox exceeds | mailbox size * exceed | mailbox over
      mailbox is over | mailbox quota | mailbox size limit | mailbox * exceeded the limit
      exceeded mailbox | exceeds mailbox | exceed mailbox | exceed * quota | inbox is full | inbox full
      account is full | account full | account is over quota | account over quota | user is over quota
      user over quota | user has exhausted | user has too many | user has exceeded | recipient * exceeded
      over quota | overquota | over-quota | over the quota | over his quota | over its quota
      over allocated quota | over disk quota | over the storage quota | out of storage | out of space
      out of disk | quota exceeded | quotaexceeded | quota full | quota has been exceeded
      quota violation | quota exceed | quota limit | exceeds quota | exceeded quota | exceeded * quota
      exceeding * quota | exceeded storage | exceeded the storage | exceeded its storage
      exceeded allowed size | exceeds allowed size | exceeds the storage | storage quota | storage limit
      storage exceeded | insufficient disk | insufficient space | insufficient quota | not enough space
      not enough storage | no space left | no more space | disk quota | disk full
      maildir delivery failed: *quota | maildir overdrawn | mail quota | mailfolder is full
      mail folder is full | mailbox would exceed | would be over quota | too much mail
      number of messages in recipient
    `),
  },
  {
    cause: 'greylisted',
    phrases: said(`
      greylist | graylist | grey-list | gray-list | grey list | please retry in | try again in * seconds
      try again in * minutes
    `),
  },
  {
    cause: 'relaying',
    phrases: said(`
      relay access denied | relaying denied | relay denied | relaying not permitted | relay not permitted
      relaying is not | relaying not allowed | relay not allowed | relay is not | unable to relay
      cannot relay | can't relay | not permitted to relay | not allowed to relay | not authorized to relay
      relaying prohibited | relay prohibited | relaying mail | no relaying | no relay | we do not relay
      we don't relay | does not relay | not a relay | relay operation rejected | relay attempt
      relayed mail | not relay | mail relay denied | denied relay | relay lookup
      this system is not configured to relay | not a gateway | isn't in my list of allowed rcpthosts
      not in my list of allowed | rcpthosts | domain is not * relay | not one of our domains
      not local; relay | insecure mail relay | recipient not allowed to relay
      must check for new mail first | authenticate with pop
    `),
  },
  {
    cause: 'moved',
    phrases: said(`
      has moved to | user has moved | recipient has moved | address has changed | address changed to
      new address is | has changed * e-mail address | has been replaced by | has been changed to
      please use the new address | user not local; please try | try this address
    `),
  },
  {
    cause: 'disabled',
    phrases: said(`
      account disabled | account is disabled | account has been disabled
      account that you tried to reach is disabled | account that you tried to reach is inactive
      account is inactive | account inactive | account is not active | account not active
      account has been suspended | account is suspended | account suspended | account is locked
      account locked | account has been locked | account is closed | account closed
      account has been closed | account has been terminated | account terminated
      account has been deactivated | account deactivated | account deleted | account expired
      account has expired | account not activated | mailbox disabled | mailbox is disabled
      mailbox has been disabled | mailbox * disabled | mailbox currently suspended | mailbox suspended
      mailbox is suspended | mailbox * suspended | mailbox inactive | mailbox is inactive
      mailbox * inactive | mailbox is not active | mailbox not active | mailbox is frozen | mailbox frozen
      mailbox locked | mailbox is locked | mailbox closed | mailbox is closed | mailbox deactivated
      user is disabled | user disabled | user is inactive | user inactive
      user is not active | user not active | user suspended | user is suspended | user * suspended
      user has been suspended | user has been deleted | user account is disabled
      user(s) account is disabled | user terminated | user is currently not active | recipient is disabled
      recipient disabled | recipient is inactive | recipient suspended | recipient * suspended
      recipient is not active | address is disabled | address disabled | address is no longer active
      address is not active | address is inactive | address no longer accepts | no longer in use | no longer active
      no longer in use | not yet activated | has been deactivated | disabled or discontinued
      disabled or removed | unused account | inactive account | inactive user | disabled account
      disabled user | disabled mailbox | disabled recipient | suspended account | suspended for inactivity
      due to inactivity | extended inactivity | being inactive | invalid/inactive
      vdelivermail: account is locked | boite du destinataire archivee | user email box is suspended
      account is currently disabled | account is currently suspended | account is currently inactive
      user account * disabled | email account * disabled
    `),
  },
  {
    cause: 'no-such-domain',
    phrases: said(`
      host unknown | unknown host | unknown domain | domain unknown | domain not found
      domain name not found | domain does not exist | domain doesn't exist | domain * does not exist
      domain * doesn't exist | domain is not found | domain could not be found | domain couldn't be found
      domain part is not | no such domain | no such host | non-existent domain | nonexistent domain
      non-existent host | nonexistentdomain | not-existent domain | non existing domain | invalid domain
      illegal host/domain | illegal host | bad domain | bad destination host | bad destination system
      bad host/domain | host name lookup failed | host name is unknown | host/domain does not exist
      host not found | host or domain name not found | host could not be found | host does not exist
      hostname not found | recipient address rejected: domain not found | recipient address has null mx
      recipient domain does not accept mail | null mx | nullmx | does not accept mail (nullmx)
      domain does not accept mail | host does not accept mail | server does not accept mail
      domain not hosted | name or service not known | name server: * host not found | nxdomain
      no mx record | no mail exchanger | no route found to domain | no mail servers | no valid mx | couldn't find any host
      couldn't find any host by that name | couldn't find a mail exchanger | cannot find mail server
      all relevant mx records point to non-existent hosts | all relevant mx records
      all host address lookups failed permanently | address lookup failed | unrouteable mail domain
      unroutable domain | unrouteable domain | unable to resolve | address resolution of * failed
      dns error: * domain name not found | responded with code nxdomain | domain * not found
      dns lookup failed: nxdomain | domain isn't in my list | smtpsend.dns.nonexistentdomain
      dns domain * does not exist | this domain is not hosted here
      message cannot be delivered to the domain | dns-p
    `),
  },
  {
    cause: 'no-such-mailbox',
    phrases: said(`
      user unknown | unknown user | user is unknown | user * unknown | user not found | user * not found
      user was not found | user account not found | user does not exist | user doesn't exist
      user * does not exist | user * doesn't exist | user not exist | user account does not exist
      user doesn't have a | user does not have | doesn't have an account | user not known
      user not recognized | user not registered | user unkown | users not found | user name is unknown
      user invalid | user no longer | user no found | user not on this | user not listed
      not listed in domino directory | not listed in public name | not listed in * address book
      no such user | no such users | no such mailbox | no such local user | no such account
      no such address | no such recipient | no such person | no such email | no such a user
      no such domain user | no such subscriber | no such name | nosuchuser | no mailbox
      no mailbox here by that name | no mailbox by that name | no mail box | no users here
      no valid recipient | no valid recipients | no valid host | no recipients | no longer on server
      no longer exists | no longer with | no longer works | no longer employed | no longer here
      not a valid mailbox | not a valid user | not a valid address | not a valid recipient
      not a valid email | not a known user | not a registered | not a user | not an active
      not an existing | not our customer | not our user | not known at this | not known here
      not found in directory | not found by smtp address lookup | not found * directory | not in directory
      not a recognized | isn't a valid | mailbox unavailable | mailbox not available
      mailbox is unavailable | mailbox unknown | mailbox not found | mailbox was not found
      mailbox could not be found | mailbox cannot be found | mailbox does not exist
      mailbox doesn't exist | mailbox * does not exist | mailbox * doesn't exist | mailbox * not found
      mailbox for * does not exist | mailbox name not allowed | mailbox name is invalid
      mailbox not exist | mailbox invalid | mailbox removed | mailbox no longer | invalid mailbox
      invalid user | invalid users | invalid recipient | invalid recipients | invalid address
      invalid final delivery userid | invalid account | invalid e-mail address | invalid email
      invalid destination | invalid local address | invalid username | unknown recipient
      unknown recipients | unknown address | unknown mailbox | unknown local part | unknown local-part
      unknown local user | unknown local recipient | unknown account | unknown or illegal
      unknown or invalid | unknown virtual user | unknown e-mail | unknown email | unknown name
      recipient unknown | recipient is unknown | recipient * unknown | recipient not found
      recipient was not found | recipient * not found | recipient does not exist | recipient doesn't exist
      recipient * does not exist | recipient not exist | recipient not known | recipient no longer
      recipient not recognized | recipient name is not recognized | recipient name is not
      recipient is invalid | recipient invalid | recipient address does not exist
      recipient address is invalid | recipient address unknown | recipient address rejected: access denied
      recipient address rejected: user | recipient address rejected: unknown
      recipient address rejected: undeliverable | recipient address rejected: no such
      recipient address rejected: invalid | recipient address rejected: not
      recipient address rejected: mailbox | recipient address rejected: this address
      recipient address rejected: mail for | recipients unknown | recipnotfound | addressee unknown
      addressee not | address unknown | address is unknown | address not found | address couldn't be found
      address could not be found | address wasn't found | address was not found | address cannot be found
      address does not exist | address doesn't exist | address * does not exist | address * doesn't exist
      address not exist | address not known | address not valid | address invalid | address is invalid
      address is not valid | address no longer | address unrecognized | address * couldn't be found
      bad address | bad destination mailbox | bad recipient | bad local | badly formed
      can't create output * user | cannot find user | can't find * user | wasn't found at
      was not found at | e-mail address was not found
      the email account that you tried to reach does not exist
      account that you tried to reach does not exist | email account * does not exist
      account does not exist | account doesn't exist | account not found | account unknown
      account is unknown | account * does not exist | account not available | account invalid
      account has been deleted | account no longer | does not have an account | does not exist
      doesn't exist | do not exist | non-existent | nonexistent | non existent | unrouteable address
      unroutable address | unroutable user | unrouteable | undeliverable: user
      unable to validate recipient | unable to verify recipient | recipient cannot be verified | unknownuser | unverified recipient
      verification failed for recipient | recipient verify failed | callout verification failed
      deactivated mailbox | deleted mailbox | deleted user
      delivery to this address is restricted to valid | destination user | dd this user doesn't have
      this user doesn't have | this address no longer | vpopmail: user | name not found | name unknown
      chkusr | delivery error: dd | rcp-p1 | rcp-p2 | rcp-p3 | resolver.adr | resolver.adr.recipnotfound
      resolver.adr.exrecipnotfound | #5.1.1 smtp | not deliverable to this | no one by that
      alias not found | unknown alias | alias * does not exist | mailbox is dead | left the company
    `),
  },
  {
    cause: 'no-such-mailbox',
    isHint: true,
    phrases: said(`
      undeliverable address | address is not | user is not | recipient is not | mailbox is not | account is not | there is no
      there's no | unknown to | could not find | couldn't find | no longer a | no longer an | no user
      no recipient | has left | address error | this email address is | no such | unable to find
      not registered | address you entered | no longer at | mailbox syntax | no account | user isn't
      no longer available | not a known | not a local | username * not
    `),
  },
]
