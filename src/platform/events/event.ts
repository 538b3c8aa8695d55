import type { Metadata } from '../lib/metadata.ts';

export interface NewEvent {
  merchantId: string;
  /** Its public name: `payment_intent.succeeded`. */
  event: string;
  objectType: string;
  objectId: string;
  /** The object's own count of changes: 1, 2, 3, without a gap. */
  sequence: number;
  status: string;
  previousStatus: string | null;
  /** Events of one ordering key are first delivered in order. */
  orderingKey: string;
  /** Beside a `data` whose fields are fixed; elsewhere the snapshot in `data` has it. */
  metadata?: Metadata;
  data: object;
}
