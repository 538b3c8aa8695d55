import { type BaseUnits, baseUnitsToCents, type Cents, centsToBaseUnits } from '../lib/money.ts';

export const STATUSES = [
  'pending',
  'processing',
  'underpaid',
  'succeeded',
  'failed',
  'expired',
  'canceled',
] as const;
export type IntentStatus = (typeof STATUSES)[number];

/** A request for money: what is expected, where it should arrive, and what has. */
export interface Intent {
  id: string;
  merchantId: string;
  orderId: string | null;
  terminalId: string | null;
  expectedAmountCents: Cents;
  receivedBaseUnits: BaseUnits;
  referenceAddress: string;
  destinationAddress: string;
  status: IntentStatus;
  txSignature: string | null;
  /** How many changes it has been through; each has one event. */
  sequence: number;
  createdAt: Date;
  expiresAt: Date;
  succeededAt: Date | null;
}

/** Every move an intent can make. Nothing leaves `succeeded` or `canceled`. */
export const TRANSITIONS: Record<IntentStatus, readonly IntentStatus[]> = {
  pending: ['processing', 'succeeded', 'underpaid', 'failed', 'expired', 'canceled'],
  failed: ['processing', 'succeeded', 'underpaid', 'expired', 'canceled'],
  processing: ['succeeded', 'underpaid', 'pending', 'failed', 'expired'],
  underpaid: ['processing', 'succeeded', 'underpaid'],
  expired: ['processing', 'succeeded', 'underpaid'],
  succeeded: [],
  canceled: [],
};

/** Only what nobody has paid anything toward may be ended: money that was seen is never turned away. */
export function isUnseen(intent: Intent): boolean {
  return intent.status === 'pending' || intent.status === 'failed';
}

/** What a new intent on the same terminal does to the newest one there. */
export function whenReplaced(current: Intent, now: Date): 'cancel' | 'busy' | 'leave' {
  if (isUnseen(current)) return 'cancel';
  if (current.status === 'processing') return 'busy';
  if (current.status === 'underpaid' && now < current.expiresAt) return 'busy';
  return 'leave';
}

export function receivedCents(intent: Intent): Cents {
  return baseUnitsToCents(intent.receivedBaseUnits);
}

export function isPaidInFull(intent: Intent): boolean {
  return intent.receivedBaseUnits >= centsToBaseUnits(intent.expectedAmountCents);
}

/** The event's name for a move to `status`. */
export function eventFor(status: IntentStatus): string {
  switch (status) {
    case 'succeeded':
    case 'underpaid':
    case 'failed':
    case 'expired':
      return `payment_intent.${status}`;
    default:
      return 'payment_intent.updated';
  }
}
