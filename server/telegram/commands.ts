/** As Telegram offers them behind the stroke, and as /help tells them. */
export const COMMANDS = [
  { command: 'stats', description: 'How your mail is doing' },
  { command: 'campaigns', description: 'Your latest campaigns, and what becomes of them' },
  { command: 'send', description: 'Write and send a campaign' },
  { command: 'templates', description: 'Your templates' },
  { command: 'inbox', description: 'Mail that came back, to read and to answer' },
  { command: 'settings', description: 'What I tell you, and when I am quiet' },
  { command: 'unlink', description: 'Unlink this Telegram account' },
  { command: 'cancel', description: 'Leave what you are in the middle of' },
  { command: 'help', description: 'What I can do' },
]
