/**
 * A condition on rows that are due: not of a merchant that is being moved to another installation, or was. What is due
 * for them happens there, and only there. The list is read once in a statement, through an index that is mostly empty.
 */
export function isOpenMerchant(column = 'merchant_id'): string {
  return `${column} <> all(array(select id from merchants where closed_at is not null))`;
}
