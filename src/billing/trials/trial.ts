/** A session that has a trial, or is about to. */
export interface TrialOf {
  merchantId: string;
  sessionId: string;
  customerId: string | null;
  email: string | null;
  /** A stranger typed the address. */
  isTyped: boolean;
  createdAt: Date;
}
