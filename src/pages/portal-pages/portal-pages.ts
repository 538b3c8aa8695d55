import type { PageScope } from '../parts/page-route.ts';
import { accountPages } from './account-page.ts';
import { balancePages } from './balance-page.ts';
import { cancelPages } from './cancel-pages.ts';
import { changePages } from './change-pages.ts';
import { detailsPages } from './details-page.ts';
import { emailChangePages } from './email-change-pages.ts';
import { entryPages } from './entry-pages.ts';
import { invoicePages } from './invoice-page.ts';
import { invoicesPages } from './invoices-page.ts';
import type { PortalPageParts } from './portal-page-route.ts';
import { renewPages } from './renew-pages.ts';
import { signInPages } from './sign-in-pages.ts';
import { usagePages } from './usage-page.ts';

/** Every page of the customer portal. All of them work without scripts. */
export function portalPages(scope: PageScope, parts: PortalPageParts): void {
  signInPages(scope, parts);
  entryPages(scope, parts);
  accountPages(scope, parts);
  changePages(scope, parts);
  cancelPages(scope, parts);
  renewPages(scope, parts);
  detailsPages(scope, parts);
  emailChangePages(scope, parts);
  invoicesPages(scope, parts);
  invoicePages(scope, parts);
  balancePages(scope, parts);
  usagePages(scope, parts);
}
