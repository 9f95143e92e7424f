/*
  List and message stand side by side where the room allows it, else one at a time. What counts is the room that the
  screen has, not the window: the sidebar takes its share.
*/

/** Down to the lower edge of the window, which the padding of the page would keep away. */
export const panes =
  'grid grid-cols-1 gap-4 @2xl:-mb-8 @2xl:grid-cols-[18rem_minmax(0,1fr)] @4xl:grid-cols-[21rem_minmax(0,1fr)]'
/** Below the heading each pane takes what the window has left, and scrolls by itself. */
export const listPane =
  'min-w-0 flex-col @2xl:flex @2xl:h-[calc(100dvh-11.5rem)] @2xl:min-h-96 @2xl:overflow-hidden'
export const listScroller =
  '@2xl:min-h-0 @2xl:grow @2xl:overflow-y-auto @2xl:overscroll-contain [overflow-anchor:none]'
/** Its edges leave room for the rings of what has the focus. */
export const messagePane =
  'min-w-0 @2xl:-m-1 @2xl:h-[calc(100dvh-10.25rem)] @2xl:min-h-96 @2xl:overflow-y-auto @2xl:overscroll-contain @2xl:p-1 @2xl:pb-4'

/** Where there is room for one pane only, and that is the message. */
export const whereOpen = {
  gone: '@max-2xl:hidden',
  unseen: '@max-2xl:sr-only',
  noGap: '@max-2xl:mb-0',
} as const
