export interface Product {
  id: string;
  merchantId: string;
  projectId: string;
  name: string;
  description: string | null;
  isActive: boolean;
  createdAt: Date;
}
