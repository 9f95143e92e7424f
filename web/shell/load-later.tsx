import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * A part of the application that is loaded when it is first shown. React's own `lazy` keeps a part that has arrived
 * back until 300 ms after what stood in its place, and who waits for two of them waits twice; this one shows it at once.
 */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> {
  let Part: ComponentType<Props> | null = null

  return function LoadedLater(props: Props) {
    const [isLoaded, setLoaded] = useState(Part !== null)
    const [failure, setFailure] = useState<{ reason: unknown } | null>(null)

    useEffect(() => {
      if (isLoaded) return
      load().then(
        (part) => {
          Part = part
          setLoaded(true)
        },
        (reason: unknown) => setFailure({ reason }),
      )
    }, [isLoaded])

    if (failure) throw failure.reason
    return Part ? <Part {...props} /> : meanwhile
  }
}
