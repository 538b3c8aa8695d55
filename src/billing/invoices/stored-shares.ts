import { parseJson } from '../../platform/lib/json.ts';
import type { CreditShare } from './credit-shares.ts';

type StoredShare = Pick<CreditShare, 'tax'> & Record<'netCents' | 'taxCents', number | bigint>;

/** Without losing a digit, which the driver's own JSON reader would. */
export function readShares(text: string): CreditShare[] {
  return (parseJson(text) as unknown as StoredShare[]).map(({ tax, netCents, taxCents }) => ({
    tax: tax && { ...tax, percentPpm: Number(tax.percentPpm) },
    netCents: BigInt(netCents),
    taxCents: BigInt(taxCents),
  }));
}
