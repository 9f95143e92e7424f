import { Route, Switch } from 'wouter'
import { ForgotPasswordPage } from './auth/forgot-password-page.tsx'
import { ResetPasswordPage } from './auth/reset-password-page.tsx'
import { SignInPage } from './auth/sign-in-page.tsx'
import { SignUpPage } from './auth/sign-up-page.tsx'
import { VerifyEmailPage } from './auth/verify-email-page.tsx'

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
