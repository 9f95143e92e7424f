import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TelegramLink } from '../../contract/telegram.ts'
import { readAgain } from '../api/read-again.ts'
import {
  createLinkCode,
  dropLinkCode,
  type ShownCode,
  telegramLinksQuery,
  unlinkTelegram,
} from '../api/telegram.ts'
import {
  sayGenerated,
  sayNotCancelled,
  sayNotGenerated,
  sayNotUnlinked,
  sayUnlinked,
} from './telegram-toasts.ts'
import { wholeMinutes } from './use-minutes-left.ts'

/** One after the other: a code that is made after another was cancelled must not be cancelled with it. */
const ONE_BY_ONE = { id: 'telegram code' }

/** What can be done about the link, and what became of it elsewhere. `bot` is what it is called in a sentence. */
export function useTelegramLink(link: TelegramLink | null, bot: string) {
  const client = useQueryClient()
  const [code, setCode] = useState<ShownCode | null>(null)
  const [seen, setSeen] = useState(link)
  const [news, setNews] = useState<'linked' | 'unlinked' | null>(null)
  const linksChanged = () => readAgain(client, telegramLinksQuery)

  const generating = useMutation({
    scope: ONE_BY_ONE,
    mutationFn: createLinkCode,
    onSuccess: (made) => {
      setCode(made)
      setNews(null)
      sayGenerated(bot, wholeMinutes(made.endsAt - Date.now()))
    },
    onError: (error) => {
      sayNotGenerated(error)
      // An account that was linked elsewhere meanwhile is a reason to refuse.
      linksChanged()
    },
  })
  const cancelling = useMutation({
    scope: ONE_BY_ONE,
    mutationFn: dropLinkCode,
    // Also one that was still being made when this was asked for.
    onSuccess: () => setCode(null),
    onError: sayNotCancelled,
  })
  const unlinking = useMutation({
    mutationFn: ({ telegramUserId }: TelegramLink) => unlinkTelegram(telegramUserId),
    onSuccess: (_, { id, telegramFirstName }) => {
      // Another may have been linked since.
      client.setQueryData(telegramLinksQuery.queryKey, (known) => known?.filter((link) => link.id !== id))
      sayUnlinked(telegramFirstName)
    },
    onError: (error) => {
      sayNotUnlinked(error)
      linksChanged()
    },
  })

  if (link?.id !== seen?.id) {
    const isOwnDoing = unlinking.variables?.id === seen?.id && !unlinking.isError
    setSeen(link)
    setCode(null)
    setNews(link ? 'linked' : isOwnDoing ? null : 'unlinked')
  }

  return {
    code,
    news,
    isGenerating: generating.isPending,
    generate: () => generating.mutate(),
    /** What is shown goes at once; should the server not hear of it, that is told. */
    cancel: () => {
      setCode(null)
      cancelling.mutate()
    },
    isUnlinking: unlinking.isPending,
    unlink: unlinking.mutate,
  }
}
