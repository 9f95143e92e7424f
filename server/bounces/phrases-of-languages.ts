import { type PhraseGroup, said } from './phrase-group.ts'

/**
 * The same in other languages, a line for each: German, French, Spanish, Italian, Portuguese, Dutch, the Nordic ones,
 * Polish, Czech, Hungarian, Turkish, Russian, Japanese, Chinese, Korean. Some servers write without accents.
 */
export const OF_LANGUAGES: PhraseGroup[] = [
  {
    cause: 'blocked',
    phrases: said(`
      sperrliste | schwarze liste | ip-adresse * gesperrt | ihr server * gesperrt | absender * gesperrt
      liste noire | adresse ip * bloquée | serveur * bloqué | expéditeur bloqué
      lista negra | ip * bloqueada | lista nera | indirizzo ip * bloccato | zwarte lijst | svartlist | czarnej liście
      черный список | черном списке | чёрном списке | заблокирован ip
      ブラックリスト | 受信拒否 | 着信拒否 | ブロックされ | 黑名单 | 黑名單 | 블랙리스트 | 차단
    `),
  },
  {
    cause: 'content',
    phrases: said(`
      als spam | spamverdacht | unerwünschte e-mail | enthält einen virus | inhalt * abgelehnt | anhang * nicht erlaubt
      comme spam | comme du spam | courrier indésirable | contient un virus | contenu * refusé | pièce jointe * interdit
      como spam | correo no deseado | contiene un virus | contenido * rechazado | come spam | posta indesiderata
      contiene un virus | lixo eletrônico | contém um vírus | spam herkend | bevat een virus | som spam
      jako spam | zawiera wirusa | spam olarak | похоже на спам | как спам | признано спамом | содержит вирус
      迷惑メール | スパム | ウイルス | 垃圾邮件 | 垃圾郵件 | 病毒 | 内容被拒绝 | 스팸 | 바이러스
    `),
  },
  {
    cause: 'too-large',
    phrases: said(`
      nachricht ist zu groß | nachricht zu groß | mail ist zu groß | maximale größe | maximale nachrichtengröße | zu gross
      message est trop volumineux | message trop volumineux | message trop gros | taille maximale | dépasse la taille
      mensaje es demasiado grande | mensaje demasiado grande | tamaño máximo | supera el tamaño | excede el tamaño
      messaggio troppo grande | messaggio è troppo grande | dimensione massima | dimensioni massime
      mensagem é muito grande | mensagem muito grande | tamanho máximo | bericht is te groot | te groot | maximale grootte
      för stort | for stor | liian suuri | za duża | maksymalny rozmiar | příliš velk | túl nagy | çok büyük
      слишком большой размер | слишком большое | превышен максимальный размер | размер письма
      サイズが大きすぎ | サイズ制限 | 容量制限 | サイズを超え | サイズの上限 | 邮件太大 | 邮件过大 | 郵件過大 | 超过大小 | 너무 큽니다 | 크기 제한
    `),
  },
  {
    cause: 'full',
    phrases: said(`
      postfach ist voll | postfach voll | postfach * voll | mailbox ist voll | mailbox voll | speicherplatz | kontingent
      empfängers ist voll | quota überschritten | überfüllt | speicherlimit
      boîte aux lettres est pleine | boîte * pleine | boite * pleine | messagerie * pleine | quota dépassé | quota depasse
      dépassé son quota | depasse son quota | espace de stockage | espace insuffisant | plus assez d'espace
      buzón está lleno | buzón lleno | buzón * lleno | buzon * lleno | cuota excedida | superado la cuota
      excedido su cuota | excedido la cuota | espacio de almacenamiento | casella * piena | casella piena
      mailbox piena | quota superata | spazio esaurito | superato la quota | spazio insufficiente
      caixa de correio está cheia | caixa * cheia | cota excedida | cota de armazenamento | quota excedida
      postbus is vol | postbus vol | mailbox is vol | mailbox vol | postvak * vol | quotum overschreden
      brevlåda * full | inkorg * full | postkasse * full | postboks * full | postilaatikko on täynnä | täynnä
      skrzynka * pełna | przepełniona | przekroczon * limit | schránka * plná | kvóta | postafiók * megtelt
      posta kutusu dolu | kota aşıldı | kutusu * dolu
      ящик переполнен | переполнен | ящик * полон | квота превышена | превышена квота | превышен лимит ящика
      メールボックスが一杯 | メールボックスがいっぱい | ボックスがいっぱい | ボックスが一杯 | 容量が一杯 | 容量がいっぱい | 容量を超え | 容量不足 | 空き容量 | メールボックスの容量
      邮箱已满 | 邮箱空间不足 | 信箱已滿 | 信箱空間不足 | 郵箱已滿 | 空间已满 | 容量不足 | 超过配额 | 收件箱已满 | 用户邮箱满
      용량이 초과 | 용량 초과 | 편지함이 가득 | 메일함이 가득 | 사서함이 꽉 | 사서함이 가득 | 저장 공간
    `),
  },
  {
    cause: 'disabled',
    phrases: said(`
      postfach ist deaktiviert | postfach * deaktiviert | konto * deaktiviert | konto * gesperrt | postfach * gesperrt
      mailbox * deaktiviert | inaktiv
      compte * désactivé | compte * desactive | compte * suspendu | compte * clos | compte * fermé | boîte * désactivée
      boite * desactivee | boite du destinataire archivee | boite * archivee | compte inactif
      cuenta * desactivada | cuenta * deshabilitada | cuenta * suspendida | cuenta inactiva | buzón * deshabilitado
      account * disattivat | account * sospes | casella * disattivat | casella * disabilitat | utente disabilitato
      conta * desativada | conta * suspensa | conta * bloqueada | caixa * desativada | conta inativa
      account is uitgeschakeld | account * geblokkeerd | postbus * geblokkeerd | uitgeschakeld
      kontot * inaktiver | kontoen * deaktiver | konto * zablokowan | konto * nieaktywn | skrzynka * zablokowan
      účet * zablok | hesap * devre dışı | hesabı * askıya
      ящик заблокирован | ящик отключен | аккаунт заблокирован | учетная запись отключена | ящик неактивен
      учетная запись заблокирована | ящик * заблокирован | аккаунт удален
      停止されて | 利用停止 | 利用が停止 | アカウントは無効 | アカウントが無効 | 解約 | 帐号已停用 | 账号已停用 | 帳號已停用 | 帐户被禁用 | 账户被禁用 | 已冻结
      被冻结 | 휴면 | 계정이 정지 | 사용이 중지 | 비활성
    `),
  },
  {
    cause: 'no-such-domain',
    phrases: said(`
      domain existiert nicht | domäne existiert nicht | domain nicht gefunden | domain wurde nicht gefunden | unbekannte domain
      host nicht gefunden | domaine n'existe pas | domaine inconnu | domaine introuvable | domaine inexistant
      dominio no existe | dominio desconocido | dominio inexistente | no se encuentra el dominio | dominio non esiste
      dominio inesistente | dominio sconosciuto | domínio não existe | domínio não encontrado | domínio inexistente
      domein bestaat niet | onbekend domein | domein * niet gevonden | domänen finns inte | domenet finnes ikke
      domena nie istnieje | nieznana domena | doména neexistuje | alan adı bulunamadı
      домен не существует | домен не найден | несуществующий домен | хост не найден
      ドメインが存在しません | ドメインが見つかりません | ドメインは存在しません | 存在しないドメイン | ホストが見つかりません
      域名不存在 | 域名解析失败 | 網域不存在 | 找不到域 | 无法解析 | 도메인이 존재하지 | 도메인을 찾을 수 | 존재하지 않는 도메인
    `),
  },
  {
    cause: 'no-such-mailbox',
    phrases: said(`
      existiert nicht | nicht gefunden | unbekannter empfänger | empfänger unbekannt | unbekannter benutzer
      benutzer unbekannt | nicht bekannt | kein solcher benutzer | adresse ist ungültig | ungültige adresse
      ungültiger empfänger | nicht vorhanden | empfänger * nicht erkannt | nicht mehr gültig | adressat unbekannt
      utilisateur inconnu | destinataire inconnu | adresse inconnue | n'existe pas | adresse introuvable
      est introuvable | n'a pas été trouvé | adresse invalide | adresse d au moins un destinataire invalide
      boîte aux lettres inexistante | adresse inexistante | destinataire * non reconnu | adresse n'est pas valide | n'est pas valide
      usuario desconocido | usuario no existe | no existe | destinatario desconocido | dirección no encontrada
      no se encontró | no se ha encontrado | dirección incorrecta | buzón inexistente | direccion no existe | no válida
      utente sconosciuto | non esiste | destinatario sconosciuto | indirizzo inesistente | indirizzo non trovato
      casella inesistente | utente non trovato | destinatario inesistente | non è stato trovato | non valido
      usuário desconhecido | usuário inexistente | não existe | destinatário desconhecido | não encontrado | endereço inválido
      não foi encontrado | conta inexistente | usuario inexistente | utilizador desconhecido
      bestaat niet | onbekende gebruiker | gebruiker onbekend | niet gevonden | onbekende ontvanger | ongeldig adres
      finns inte | okänd användare | okänd mottagare | findes ikke | ukendt bruger | ukendt modtager | finnes ikke
      ukjent bruker | ukjent mottaker | ei ole olemassa | tuntematon | ei löydy
      nie istnieje | nieznany użytkownik | nieznany odbiorca | nie znaleziono | brak takiego | nie ma takiego
      neexistuje | neznámý uživatel | nem létezik | ismeretlen címzett | ismeretlen felhasználó | bulunamadı
      kullanıcı yok | bilinmeyen kullanıcı
      пользователь не найден | нет такого пользователя | не существует | неизвестный пользователь | не найден
      адресат не найден | такого пользователя нет | недействительный адрес | получатель неизвестен | не зарегистрирован
      ユーザーが見つかりません | ユーザが見つかりません | 見つかりませんでした | 見つかりません | 存在しません | 存在しない | 宛先不明 | 該当するアドレス
      アドレスが無効 | 宛先が間違 | 宛先アドレスが正しく | 受信者が不明 | あて先不明 | ユーザ不明 | 登録されていません | アドレスに誤り | アドレスが誤
      用户不存在 | 帐号不存在 | 账号不存在 | 地址不存在 | 邮箱不存在 | 收件人不存在 | 不存在 | 找不到收件人 | 用戶不存在 | 帳號不存在 | 查無此人 | 無此使用者 | 无此用户
      地址有误 | 找不到 | 无效的收件人 | 无效用户
      존재하지 않는 | 없는 사용자 | 알 수 없는 사용자 | 찾을 수 없습니다 | 수신자를 찾을 수 | 존재하지 않습니다 | 없는 주소 | 등록되지 않은
    `),
  },
  {
    cause: 'expired',
    phrases: said(`
      nicht innerhalb | zeitüberschreitung | délai dépassé | délai d'expiration | tiempo agotado | tempo scaduto
      tempo esgotado | истекло время | срок хранения | 期限切れ | タイムアウト | 配信期限 | 超时 | 逾時 | 시간 초과
    `),
  },
  {
    cause: 'temporary',
    phrases: said(`
      vorübergehend | verzögert | noch nicht zugestellt | temporairement | temporaire | retardé | retardée | temporalmente
      retrasado | retrasada | temporaneamente | ritardo | temporariamente | atrasad | tijdelijk | vertraagd | tillfälligt
      midlertidig | tymczasowo | opóźnion | dočasně | geçici | временно | задержан | отложена | 一時的 | 遅延 | 遅れ | 暂时 | 暫時 | 延迟 | 일시적 | 지연
    `),
  },
]
