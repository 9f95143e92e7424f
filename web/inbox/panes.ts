/*
  List and message stand side by side where the room allows it, else one at a time. What counts is the room that the
  screen has, not the window: the sidebar takes its share.
*/

/** As high as the window has left below the heading, so that each pane scrolls by itself. */
const tall = '@2xl:h-[calc(100dvh-13rem)] @2xl:min-h-96'

export const panes =
  'grid grid-cols-1 gap-4 @2xl:grid-cols-[18rem_minmax(0,1fr)] @4xl:grid-cols-[21rem_minmax(0,1fr)]'
export const listPane = `min-w-0 flex-col @2xl:flex @2xl:overflow-hidden ${tall}`
export const listScroller =
  '@2xl:min-h-0 @2xl:grow @2xl:overflow-y-auto @2xl:overscroll-contain [overflow-anchor:none]'
/** The edges leave room for the rings of what has the focus. */
export const messagePane = `min-w-0 @2xl:-m-1 @2xl:overflow-y-auto @2xl:overscroll-contain @2xl:p-1 ${tall} @2xl:h-[calc(100dvh-12.5rem)]`

/** Where there is room for one pane only, and that is the message. */
export const whereOpen = {
  gone: '@max-2xl:hidden',
  unseen: '@max-2xl:sr-only',
  noGap: '@max-2xl:mb-0',
} as const
