import { findEmailChange } from '../../accounts/customers/email-change-queries.ts';
import { listCustomersByRef } from '../../accounts/customers/queries.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Database } from '../../platform/db/database.ts';
import { csrfTokenOf, type Visitor } from './portal-session.ts';
import { presentBalance, presentPortalCustomer } from './present.ts';

/** Reads the signed-in customer and their merchant: the first call of every portal page. */
export async function readVisit(db: Database, visitor: Visitor, cookie: string, now: Date) {
  const { merchantId, projectId, customerId, customerIds, returnUrl, expiresAt } = visitor;
  const refs = customerIds.map((id) => ({ merchantId, id }));
  const [found, pending, project, brand] = await Promise.all([
    listCustomersByRef(db, refs),
    findEmailChange(db, visitor, now),
    findProject(db, { merchantId, id: projectId }),
    readProjectBrand(db, { merchantId, id: projectId }),
  ]);
  const customers = customerIds.map((id) => found.find((one) => one.id === id)!);
  const customer = customers.find(({ id }) => id === customerId)!;
  return {
    customer: presentPortalCustomer(customer, pending),
    // Merged customers share the balance of another.
    customers: customers.filter(({ mergedIntoId }) => mergedIntoId === null).map(presentBalance),
    canChangeEmail: db.queuesEmails,
    merchantName: brand.name,
    projectName: project!.name,
    brandColor: brand.brandColor,
    logoFile: brand.logoFile,
    csrfToken: csrfTokenOf(cookie),
    returnUrl,
    expiresAt,
  };
}
