import { boolean, hexHash, nullable, oneOf, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { folded } from '../../platform/db/folded.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** Hash of an address that a link was mailed to, as the database keeps it. */
export const hashOfAddress = (customers: string) =>
  `sha256(convert_to(${folded(`${customers}.email`)}, 'UTF8'))`;

/** Hours for which a link that confirms an address works; the database has the same number. */
export const CONFIRMATION_LIFE_HOURS = 24;

/** Addresses that customers typed and whose mailbox has not confirmed them. */
export const portalEmailChanges = table(
  'portal_email_changes',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    customerId: uuid,
    email: text,
    /** The address that it replaces. */
    fromEmailHash: nullable(hexHash),
    /** The visit that asked for it was opened by a link mailed to the address that it replaces. */
    isByEmail: boolean,
    tokenHash: hexHash,
    /** The network. */
    askedFromHash: hexHash,
    createdAt: timestamp,
    expiresAt: timestamp,
    outcome: nullable(oneOf(['confirmed', 'withdrawn', 'replaced'])),
  },
  ['merchantId', 'id'],
);
export type EmailChange = Omit<
  RowOf<typeof portalEmailChanges>,
  'fromEmailHash' | 'tokenHash' | 'askedFromHash' | 'outcome'
>;

/** Number of requests in a day: by the customer, for the same address, and from the same network. */
export interface EmailChangeCounts {
  ofCustomer: number;
  toAddress: number;
  fromNetwork: number;
}

/** More would fill the mailboxes of strangers. */
const MAX_A_DAY: EmailChangeCounts = { ofCustomer: 5, toAddress: 3, fromNetwork: 10 };

/** The limit that one more would exceed; undefined: none. */
export function limitOf(counts: EmailChangeCounts): number | undefined {
  const kinds = Object.keys(MAX_A_DAY) as (keyof EmailChangeCounts)[];
  const reached = kinds.find((kind) => counts[kind] >= MAX_A_DAY[kind]);
  return reached && MAX_A_DAY[reached];
}
