/**
 * Parts of statements about customers who were merged: one person with several ids. Each takes expressions for the merchant and
 * for a customer’s id.
 */

/** The ids under which a person is known, by one of them: of the customer, and of everybody merged with them. */
export const idsOfPerson = (merchant: string, customer: string) => `(
  select same.id from customers one
    join customers same on same.merchant_id = one.merchant_id
     and (same.id = coalesce(one.merged_into_id, one.id) or same.merged_into_id = coalesce(one.merged_into_id, one.id))
   where one.merchant_id = ${merchant} and one.id = ${customer})`;

/** The one whose balance is meant by a customer's id. */
export const holderOf = (merchant: string, customer: string) =>
  `(select coalesce(holder.merged_into_id, holder.id) from customers holder where holder.merchant_id = ${merchant} and holder.id = ${customer})`;
