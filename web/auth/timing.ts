/** Time to read "Welcome back" or "Email Verified" before the application takes over. */
export const REDIRECT_MS = 1500
