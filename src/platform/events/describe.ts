import { Int32, Nullable, Shape, Text, Timestamp, type TSchema, Uuid } from '../http/schema.ts';

/** The shape of a webhook's body around its `data`. */
export function EventBody(
  name: string,
  events: readonly string[],
  statuses: readonly string[],
  data: TSchema,
  beside: Record<string, TSchema> = {},
) {
  return Shape(name, {
    id: Uuid('The event: the same in every attempt and resend. Handle each id once.'),
    event: { ...Text(), enum: [...events] },
    createdAt: Timestamp(),
    sequence: Int32({ min: 1, description: 'Counts the changes of this object: 1, 2, 3, …' }),
    status: { ...Text(), enum: [...statuses], description: 'Of the object, after this change.' },
    ...beside,
    data,
  });
}

/** The same for billing objects, whose `data` contains the whole object as it was then. */
export function BillingEventBody(
  name: string,
  events: readonly string[],
  statuses: readonly string[],
  snapshot: Record<string, TSchema>,
) {
  const status = { ...Text(), enum: [...statuses] };
  const data = Shape(`${name}Data`, {
    projectId: Uuid(),
    status,
    previousStatus: Nullable(status),
    customerId: Nullable(Uuid()),
    externalCustomerId: Nullable(Text()),
    merchantReference: Nullable(Text()),
    clientReferenceId: Nullable(Text({ max: 200 })),
    txSignature: Nullable(Text()),
    ...snapshot,
  });
  return EventBody(name, events, statuses, data);
}
