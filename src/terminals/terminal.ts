export interface Terminal {
  id: string;
  merchantId: string;
  name: string | null;
  isActive: boolean;
  createdAt: Date;
}
