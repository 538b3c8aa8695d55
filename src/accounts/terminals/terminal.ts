export interface Terminal {
  id: string;
  merchantId: string;
  name: string | null;
  isActive: boolean;
  /** The intent it shows, or showed last. */
  currentIntentId: string | null;
  createdAt: Date;
}
