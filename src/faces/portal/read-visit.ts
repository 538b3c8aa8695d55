import { findCustomer } from '../../accounts/customers/queries.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { csrfTokenOf, type Visitor } from './portal-session.ts';
import { presentPortalCustomer } from './present.ts';

/** Who is signed in and whose customer they are: the first call of every portal page. */
export async function readVisit(db: Queryable, visitor: Visitor, cookie: string) {
  const { merchantId, projectId, customerId, returnUrl, expiresAt } = visitor;
  const [customer, project, brand] = await Promise.all([
    findCustomer(db, { merchantId, id: customerId }),
    findProject(db, { merchantId, id: projectId }),
    readProjectBrand(db, { merchantId, id: projectId }),
  ]);
  return {
    customer: presentPortalCustomer(customer!),
    merchantName: brand.name,
    projectName: project!.name,
    brandColor: brand.brandColor,
    logoFile: brand.logoFile,
    csrfToken: csrfTokenOf(cookie),
    returnUrl,
    expiresAt,
  };
}
