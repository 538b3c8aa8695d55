import { Country } from '../../accounts/parties/party-schema.ts';
import { Flag, OneOf, Percent, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { TAX_CATEGORIES, type TaxRate, toPercent } from './tax-rate.ts';

export const CATEGORY =
  'As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage.';

export const TaxRateView = Shape('TaxRate', {
  id: Uuid(),
  projectId: Uuid(),
  name: Text(),
  percent: Percent(),
  country: Country(),
  category: OneOf(TAX_CATEGORIES, CATEGORY),
  isDefault: Flag('Prices without a rate of their own get it for buyers in its country.'),
  isActive: Flag('false: it is archived. Prices that have it keep it.'),
  createdAt: Timestamp(),
});

export function presentTaxRate(rate: TaxRate) {
  const { merchantId: _merchant, percentPpm, ...shown } = rate;
  return { ...shown, percent: toPercent(percentPpm) };
}
