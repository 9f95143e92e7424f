import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { SignInPage } from './auth/sign-in-page.tsx'

/* Sign-in comes along, for that is where nearly everybody begins; the others when they are opened. */
const screen = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

const SignUpPage = screen(async () => (await import('./auth/sign-up-page.tsx')).SignUpPage)
const VerifyEmailPage = screen(async () => (await import('./auth/verify-email-page.tsx')).VerifyEmailPage)
const ForgotPasswordPage = screen(
  async () => (await import('./auth/forgot-password-page.tsx')).ForgotPasswordPage,
)
const ResetPasswordPage = screen(
  async () => (await import('./auth/reset-password-page.tsx')).ResetPasswordPage,
)

/** Whoever is signed out and asks for any other path wants in: that is the sign-in screen. */
export function SignedOutRoutes() {
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/sign-up" component={SignUpPage} />
        <Route path="/verify-email" component={VerifyEmailPage} />
        <Route path="/forgot-password" component={ForgotPasswordPage} />
        <Route path="/reset-password" component={ResetPasswordPage} />
        <Route component={SignInPage} />
      </Switch>
    </Suspense>
  )
}
