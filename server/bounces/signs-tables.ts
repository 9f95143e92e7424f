import { said } from './phrase-group.ts'

/** How mail systems sign: the local part of their address, or the beginning of their name. */
export const DAEMON_NAMES = said(`
  mailer-daemon | mailer daemon | mailerdaemon | mail-daemon | maildaemon | mail daemon | mdaemon | postmaster | post_master
  mail delivery | mail deliver system | mail-delivery | maildelivery | email delivery | internet mail delivery | mail deliver | delivery subsystem
  delivery service | delivery system | delivery status | delivery notification | mail system | mailsystem | mail router
  mail administrator | mail server | mailserver | mailadmin | smtp server | smtp daemon | system administrator
  system attendant | systemadministrator | systemadmin | system manager | sysadmin | microsoft exchange | microsoft outlook
  microsoftexchange | exchange server | exchange-administrator | bounced mail | undeliverable | returned mail
  interscan | mail-gateway | mailgateway | mail gateway | content-filter | content filter | amavisd | antispam gateway
  mailrouter | mail router | daemon | mta | qmail | listserv | email system | symantec_email_security | mail security
  administrateur système | administrateur systeme | administrador del sistema | amministratore di sistema
  amministratore sistema | administrador do sistema | systeembeheerder | systemansvarig | administrator systemu
  системный администратор | почтовая система | почтовый робот | システム管理者 | メール配信 | 系统管理员 | 系統管理員 | 시스템 관리자 | 메일 시스템
`)

export const BOUNCE_SUBJECTS = said(`
  undeliver | undelivered | undeliverable | non-deliver | nondeliver | non deliver | not delivered | not deliver | delivery status
  delivery notification | delivery fail | delivery has failed | mail delivery | delivery report | delivery error
  delivery problem | delivery incomplete | delivery delay | failed delivery | failed mail | failure notice | failure delivery | delivery warning
  returned mail | returned message | returning message | mail returned | returned to sender | returned email | return to sender
  could not be delivered | couldn't be delivered | cannot be delivered | could not deliver | couldn't deliver
  unable to deliver | can't deliver | cannot deliver | could not send message | warning: message | mail system error
  message status | message delayed | delayed mail | mail could not | [bounce] | bounced | bounce notification | bounce action
  mail error | mail failure | mail delivery failed | user unknown | unknown user | rejected mail | message rejected
  message blocked | blocked by | mail rejected | notification of | dsn | error mail | nondelivery | automatic notification
  unzustellbar | nicht zustellbar | zustellung | fehlgeschlagen | nicht zugestellt | unzustellbarkeit | zurückgewiesen
  non remis | non distribu | échec | non délivr | n'a pas pu être | avis de non | retour de courrier | retardé
  no se puede entregar | no entregado | error de entrega | devuelto | estado de entrega | no se ha podido entregar | imposible entregar
  impossibile recapitare | mancata consegna | non recapitat | mancato recapito | errore di consegna | stato di consegna
  não entregue | falha na entrega | devolvid | não foi possível entregar | falha de entrega | status da entrega
  onbestelbaar | niet bezorgd | niet afgeleverd | bezorging mislukt | olevererbar | går inte att leverera | kan ikke leveres
  ikke leveret | toimitus epäonnistui | nie można dostarczyć | niedostarczaln | niedoręcz | zwrot | nedoručiteln | kézbesíthetetlen
  teslim edilemedi | iletilemedi | недоставл | не доставлен | не удалось доставить | возврат | невозможно доставить
  配信不能 | 配信エラー | 送信エラー | 送信できません | エラー通知 | 配達不能 | 配信に失敗 | 配送エラー | 届けられません | 配信できません | 配信できませんでした | 未配信
  退信 | 无法投递 | 未送达 | 無法傳遞 | 無法送達 | 无法送达 | 投递失败 | 退件 | 系统退信 | 发送失败 | 배달되지 | 전송 실패 | 반송 | 배달 실패 | 발송 실패
`)

/** Sentences with which mail systems begin. Written without blanks where the language has none. */
export const OPENINGS = said(`
  created automatically by mail delivery software | this is the mail system at host | this is the postfix program
  this is the qmail-send program | this is the mail delivery | this is the mailer-daemon | message from the mail system
  i'm sorry to have to inform you | i wasn't able to deliver your message | i was unable to deliver your message
  afraid i wasn't able to deliver | the original message was received | addresses had permanent | addresses had transient
  addresses had delivery | address had delivery | addresses had problems | transcript of session follows | while talking to
  delivery to the following | delivery has failed to | delivery failed to | wasn't delivered to | was not delivered to | weren't delivered
  couldn't be delivered | could not be delivered | cannot be delivered | can't be delivered | can not be delivered | not be delivered
  not delivered | did not reach the following | didn't reach | automatically generated delivery status
  delivery status notification | this report relates to a message you sent | unable to deliver | was unable to deliver
  was undeliverable | is undeliverable | were undeliverable | undeliverable to | undeliverable recipients | undeliverable mail
  undeliverable message | error occurred while | error has occurred while | trouble delivering | problem delivering
  problem with | unknown user: | unknown host: | delivery failed | failed to deliver | delivery failure | failed delivery
  message delivery | has been delayed | delivery incomplete | delivery delayed | message blocked | address not found | message rejected
  message not delivered | was rejected | been rejected | was blocked by | returned to you | being returned | has been returned
  your message could not be sent | could not deliver | couldn't deliver | cannot deliver | can't deliver | could not send
  failed recipient | recipient address: | rcpt to: | addressed to: | returned message | failure reasons | non-delivered
  delivery attempt | transcript of the attempts | permanent error | mailbox exceeds allowed size | warning message only
  bounce message | received as a bounce | bounce notification | following recipients | following recipient | following address
  recipients were affected | permanent failure | server message | remote host said | mail was not delivered
  konnte nicht zugestellt | konnte nicht zustellen | nicht zugestellt werden | fehler bei der zustellung | nicht übermittelt werden
  n'a pas pu être | n'a pas été remis | n'a pu être | impossible de remettre | échec de la remise | n'a pas été délivr
  no se pudo entregar | no se ha podido entregar | no pudo ser entregado | no ha sido entregado | error al entregar | no fue entregado
  impossibile recapitare | non è stato possibile | non è stato recapitato | non può essere consegnato | non recapitato | non consegnato
  não pôde ser entregue | não foi possível entregar | não foi entregue | não pode ser entregue | falha na entrega
  kon niet worden | niet worden bezorgd | niet worden afgeleverd | is niet bezorgd | kunde inte levereras | kunne ikke leveres
  ikke levert | ei voitu toimittaa | nie mogła zostać | nie można było dostarczyć | nie została dostarczona | nie zostało dostarczone
  nebylo možné doručit | nem lehet kézbesíteni | nem kézbesíthető | teslim edilemedi | iletilemedi
  не может быть доставлено | не удалось доставить | не было доставлено | не доставлено | невозможно доставить
  配信できません | 配信できませんでした | 送信できません | 送信できませんでした | お届けできません | 配送できません | 配信に失敗 | 配信されません | 送信に失敗 | 届けることができません | 配達できません
  无法投递 | 无法送达 | 無法傳遞 | 無法送達 | 无法发送 | 未能送达 | 被退回 | 退信 | 投递失败 | 無法投遞 | 배달하지못 | 전송되지 | 배달되지 | 전달되지 | 전송에실패 | 반송
`)

/** Answers by rule, by the beginning of their subject. */
export const VACATION_SUBJECTS = said(`
  out of office | out of the office | out-of-office | automatic reply | auto reply | auto-reply | autoreply | auto: | auto response
  autoresponse | automated reply | automated response | vacation | i am out | i'm out | i am away | away from | on vacation | on leave
  abwesenheit | automatische antwort | abwesend | réponse automatique | absence du bureau | absent | respuesta automática
  fuera de la oficina | risposta automatica | fuori sede | fuori ufficio | resposta automática | ausência | ausente
  automatisch antwoord | afwezig | autosvar | automatiskt svar | frånvaro | automaattinen vastaus | autoodpowiedź
  automatyczna odpowied | automatická odpověď | otomatik yanıt | автоответ | автоматический ответ | 自動応答 | 自動返信 | 不在 | 自动回复 | 自動回覆 | 자동 응답 | 자동 회신 | 부재중
`)

/** Written by answering machines only; some say `no` in them. */
export const AUTO_REPLY_HEADERS = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
  'x-autoreply-from',
  'x-autoreply-domain',
  'x-auto-reply',
  'x-auto-reply-from',
  'x-mail-autoreply',
  'x-autogenerated',
  'x-vacation',
]
