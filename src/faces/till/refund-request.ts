import type { Cents } from '../../platform/lib/money.ts';

export const REQUEST_STATUSES = ['open', 'approved', 'declined'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Staff at a till ask for a refund of one of its sales. */
export interface RefundRequest {
  id: string;
  merchantId: string;
  intentId: string;
  tillId: string;
  reason: string | null;
  status: RequestStatus;
  refundId: string | null;
  createdAt: Date;
  decidedAt: Date | null;
}

/** Request as an owner reads it, with its sale. */
export interface RefundRequestRow extends RefundRequest {
  orderId: string;
  terminalId: string;
  receivedCents: Cents;
}
