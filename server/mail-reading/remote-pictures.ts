/** The name under which a picture on somebody's server waits in cleaned HTML until it is asked for. */
export const REMOTE_PICTURE = 'data-remote-src'

/** Cleaned HTML in which pictures are fetched. In text, quotes are entities: only attributes look like this. */
export const withRemotePictures = (html: string): string => html.replaceAll(` ${REMOTE_PICTURE}="`, ' src="')
