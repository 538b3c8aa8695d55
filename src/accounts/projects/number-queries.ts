import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';

export interface NumberedProject {
  merchantId: string;
  projectId: string;
  name: string;
  /** The last number as it was printed. */
  lastText: string;
}

/** Every project that has given out invoice numbers, except those of merchants that have moved away. */
export async function listNumberedProjects(db: Queryable): Promise<NumberedProject[]> {
  return db.query(
    `select p.merchant_id, p.id as project_id, p.name, i.number_text as last_text
       from projects p
       join invoices i on i.merchant_id = p.merchant_id and i.project_id = p.id and i.number = p.last_invoice_number
      where ${isOpenMerchant('p.merchant_id')}
      order by p.merchant_id, p.id`,
  );
}
