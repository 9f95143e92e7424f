/*
 * What cannot be known of a delivery `d` that got nothing by its latest try. An earlier one, of which nobody could say
 * whether it was taken, may have reached its recipient all the same; so may one by the original of a restored copy, made
 * after the copy was. Then that is still all that can be said.
 */

/** The number of this copy of the database, which is the first as long as nothing has noted where it is. */
export const THIS_COPY = 'coalesce((select copy_number from installation), 1)'

/** Whether the run `r` began before this copy was put in place, also where it has ended. */
export const IS_RESTORED = `r.copy_number < ${THIS_COPY}`

const isOfRestored = `(select ${IS_RESTORED} from runs r where r.campaign_id = d.campaign_id)`

/** The mail may have been taken, although nothing is known of it here. */
export const MAY_HAVE_LEFT = `(d.may_have_left or ${isOfRestored})`

export const endsAs = (state: 'c' | 'f' | 's'): string =>
  `(case when ${MAY_HAVE_LEFT} then 'u' else '${state}' end)::"char"`

/** What is said about it then, behind the reason. */
export const EARLIER_TRY = `case when d.may_have_left then '; an earlier try may have been taken'
  when ${isOfRestored} then '; the original of this restored database may have sent it' else '' end`
