import { findCustomer } from '../customers/find-customer.ts';
import type { Queryable } from '../db/database.ts';
import { readMerchantName } from '../merchants/read-merchant-name.ts';
import { findProject } from '../projects/find-project.ts';
import { csrfTokenOf, type Visitor } from './portal-session.ts';
import { presentPortalCustomer } from './present.ts';

/** Who is here and whose customer they are: what every page of the portal begins with. */
export async function readVisit(db: Queryable, visitor: Visitor, cookie: string) {
  const { merchantId, projectId, customerId, returnUrl, expiresAt } = visitor;
  const [customer, project, merchantName] = await Promise.all([
    findCustomer(db, { merchantId, id: customerId }),
    findProject(db, { merchantId, id: projectId }),
    readMerchantName(db, merchantId),
  ]);
  return {
    customer: presentPortalCustomer(customer!),
    merchantName,
    projectName: project!.name,
    csrfToken: csrfTokenOf(cookie),
    returnUrl,
    expiresAt,
  };
}
