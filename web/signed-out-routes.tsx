import { Route, Switch } from 'wouter'
import { SignInPage } from './auth/sign-in-page.tsx'
import { loadLater } from './shell/load-later.tsx'

/* Sign-in comes along, for that is where nearly everybody begins; the others when they are opened. */
const SignUpPage = loadLater(async () => (await import('./auth/sign-up-page.tsx')).SignUpPage)
const VerifyEmailPage = loadLater(async () => (await import('./auth/verify-email-page.tsx')).VerifyEmailPage)
const ForgotPasswordPage = loadLater(
  async () => (await import('./auth/forgot-password-page.tsx')).ForgotPasswordPage,
)
const ResetPasswordPage = loadLater(
  async () => (await import('./auth/reset-password-page.tsx')).ResetPasswordPage,
)

/** Whoever is signed out and asks for any other path wants in: that is the sign-in screen. */
export function SignedOutRoutes() {
  return (
    <Switch>
      <Route path="/sign-up" component={SignUpPage} />
      <Route path="/verify-email" component={VerifyEmailPage} />
      <Route path="/forgot-password" component={ForgotPasswordPage} />
      <Route path="/reset-password" component={ResetPasswordPage} />
      <Route component={SignInPage} />
    </Switch>
  )
}
