/** Where a Telegram account is linked and unlinked; so far it names the bot. */
export function TelegramLink({ bot }: { bot: string }) {
  return (
    <p>
      The bot of this installation is <span className="font-semibold">@{bot}</span>.
    </p>
  )
}
