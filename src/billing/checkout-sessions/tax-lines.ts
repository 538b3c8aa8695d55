import type { Customer } from '../../accounts/customers/customer.ts';
import type { Project } from '../../accounts/projects/project.ts';
import { badField } from '../../platform/lib/errors.ts';
import { priceLines } from '../discounts/price-lines.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { decideTax, type TaxTerms } from '../pricing/tax.ts';
import type { TaxRate } from '../tax-rates/tax-rate.ts';

/** Terms of a line; `field` is set where a request named the rate itself, which may be wrong. */
export interface LineTerms extends TaxTerms {
  field?: string;
}

export interface TaxPlace {
  project: Project;
  customer: Customer | undefined;
  /** The project's defaults, and every rate that the terms name. */
  rates: readonly TaxRate[];
}

/** Lines with the tax that seller, buyer and rates make of their terms. Without tax they stay as they are. */
export function taxLines(
  lines: readonly InvoiceLine[],
  terms: readonly LineTerms[],
  { project, customer, rates }: TaxPlace,
): InvoiceLine[] {
  const own = rates.filter(({ projectId }) => projectId === project.id);
  for (const each of terms) requireRate(each, own);
  const parties = { seller: project.seller, buyer: customer ?? null, rates: own };
  const taxed = lines.map((line, at) => ({ ...line, tax: decideTax(terms[at]!, parties) }));
  return taxed.some(({ tax }) => tax) ? priceLines(taxed, undefined, () => undefined) : taxed;
}

function requireRate({ taxBehavior, taxRateId, field }: LineTerms, rates: readonly TaxRate[]): void {
  if (field === undefined || taxBehavior === 'none') return;
  if (taxRateId === null) {
    if (rates.some(({ isDefault }) => isDefault)) return;
    throw badField(field, 'is required, because the project has no default tax rate');
  }
  const rate = rates.find(({ id }) => id === taxRateId);
  if (!rate) throw badField(field, 'must be the id of a tax rate of this project');
  if (!rate.isActive) throw badField(field, 'is archived');
}
