import type { Metadata } from '../../platform/lib/metadata.ts';

export interface Product {
  id: string;
  merchantId: string;
  projectId: string;
  name: string;
  description: string | null;
  isActive: boolean;
  /** File name in `logos`. */
  imageFile: string | null;
  metadata: Metadata;
  createdAt: Date;
}
