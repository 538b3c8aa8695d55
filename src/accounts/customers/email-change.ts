import { folded } from '../../platform/db/folded.ts';

/** Hash of an address that a link was mailed to, as the database keeps it. */
export const hashOfAddress = (customers: string) =>
  `sha256(convert_to(${folded(`${customers}.email`)}, 'UTF8'))`;

/** Hours for which a link that confirms an address works; the database has the same number. */
export const CONFIRMATION_LIFE_HOURS = 24;

/** An address that a customer typed and whose mailbox has not confirmed it. */
export interface EmailChange {
  id: string;
  merchantId: string;
  projectId: string;
  customerId: string;
  email: string;
  /** The visit that asked for it was opened by a link mailed to the address that it replaces. */
  isByEmail: boolean;
  createdAt: Date;
  expiresAt: Date;
}

/** Number of requests in a day: by the customer, for the same address, and from the same network. */
export interface EmailChangeCounts {
  ofCustomer: number;
  toAddress: number;
  fromNetwork: number;
}

/** More would fill the mailboxes of strangers. */
const MOST_A_DAY: EmailChangeCounts = { ofCustomer: 5, toAddress: 3, fromNetwork: 10 };

/** The limit that one more would exceed; undefined: none. */
export function limitOf(counts: EmailChangeCounts): number | undefined {
  const kinds = Object.keys(MOST_A_DAY) as (keyof EmailChangeCounts)[];
  const reached = kinds.find((kind) => counts[kind] >= MOST_A_DAY[kind]);
  return reached && MOST_A_DAY[reached];
}
