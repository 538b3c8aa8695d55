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
  data: object;
}
