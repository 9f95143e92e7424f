/** The program that the tests drive; undefined where none is installed. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined
