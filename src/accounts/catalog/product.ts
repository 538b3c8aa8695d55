import type { Metadata } from '../../platform/lib/metadata.ts';

export interface Product {
  id: string;
  merchantId: string;
  projectId: string;
  name: string;
  description: string | null;
  isActive: boolean;
  /** Of `logos`. */
  imageFile: string | null;
  metadata: Metadata;
  createdAt: Date;
}
