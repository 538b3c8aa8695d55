import { bytes, integer, json, nullable, text, timestamp, uuid } from '../platform/db/columns.ts';
import { table } from '../platform/db/table.ts';

/** E-mails to customers and members, waiting or sent. What is left out here changes only as they are sent. */
export const emails = table(
  'emails',
  {
    merchantId: uuid,
    id: uuid,
    kind: text,
    projectId: nullable(uuid),
    customerId: nullable(uuid),
    number: integer,
    facts: json<object>(),
    /** The link the e-mail opens, readable only with the secret key. */
    sealedLink: nullable(bytes),
    nextAttemptAt: nullable(timestamp),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
