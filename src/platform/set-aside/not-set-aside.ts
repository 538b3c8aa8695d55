/** A condition on rows that are due: not set aside until later than `now`, which is the number of a parameter. */
export function notSetAside(
  work: string,
  now: `$${number}`,
  { merchantId = 'merchant_id', id = 'id' }: { merchantId?: string; id?: string } = {},
): string {
  return `not exists (select from set_aside_work a
           where a.merchant_id = ${merchantId} and a.work = '${work}' and a.item_id = ${id} and a.retry_at > ${now})`;
}
