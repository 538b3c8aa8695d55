import type { Metadata } from '../../platform/lib/metadata.ts';

export interface Customer {
  id: string;
  merchantId: string;
  projectId: string;
  externalCustomerId: string | null;
  email: string | null;
  name: string | null;
  /** Their language, as in BCP 47; null: not known. */
  language: string | null;
  metadata: Metadata;
  /** Prepaid units. */
  creditBalance: bigint;
  accountCreditCents: bigint;
  createdAt: Date;
}

export interface CustomerRef {
  merchantId: string;
  id: string;
  /** If set, a customer of another project counts as missing. */
  projectId?: string;
}
