/** Item id under which all that a merchant has of some work is set aside. */
export const ALL_ITEMS = '00000000-0000-0000-0000-000000000000';

/** A condition on rows that are due: not set aside until later than `now`, alone or with all of its merchant's, where `now` is the number of a parameter. */
export function notSetAside(
  work: string,
  now: `$${number}`,
  { merchantId = 'merchant_id', id = 'id' }: { merchantId?: string; id?: string } = {},
): string {
  return `not exists (select from set_aside_work a
           where a.merchant_id = ${merchantId} and a.work = '${work}' and a.item_id in (${id}, '${ALL_ITEMS}') and a.retry_at > ${now})`;
}
