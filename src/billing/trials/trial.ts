/** A trial that a session is about to have. */
export interface NewTrial {
  merchantId: string;
  sessionId: string;
  productId: string;
  customerId: string | null;
  email: string | null;
  createdAt: Date;
}

export interface SessionOfTrial {
  merchantId: string;
  id: string;
  priceId: string | null;
  customerId: string | null;
  customerEmail: string | null;
  createdAt: Date;
}
