/**
 * How a delivery `d` ends that got nothing by its latest try. An earlier one, of which nobody could say whether it was
 * taken, may have reached its recipient all the same: then that is still all that can be said.
 */
export const endsAs = (state: 'c' | 'f' | 's'): string =>
  `(case when d.may_have_left then 'u' else '${state}' end)::"char"`

/** What is said about it then, behind the reason. */
export const EARLIER_TRY = `case when d.may_have_left then '; an earlier try may have been taken' else '' end`
