export const MAX_NOTE = 2000;

/** Note of somebody of the merchant about a customer or a payment, for their own people only. */
export interface Note {
  id: string;
  merchantId: string;
  /** One of these two. */
  customerId: string | null;
  paymentIntentId: string | null;
  /** The author as the audit log names them. */
  author: string;
  text: string;
  createdAt: Date;
  /** Null until its author changes it. */
  editedAt: Date | null;
}

export interface NoteRef {
  merchantId: string;
  id: string;
}
