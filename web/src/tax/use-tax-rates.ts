import type { TaxRate } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { percentText } from '../parts/percent-text.ts';

const MAX = 500;

/** Every rate of a project, including archived ones: prices that have them keep them. */
export function useTaxRates(projectId: string | undefined): readonly TaxRate[] {
  const { data } = useQuery({
    queryKey: ['tax-rates', 'of-project', projectId],
    queryFn: () => florin.taxRates.list({ projectId: projectId!, limit: 100 }).toArray({ limit: MAX }),
    enabled: projectId !== undefined,
    staleTime: 30_000,
  });
  return data ?? [];
}

/** `19% VAT (DE)`. */
export function rateText({ name, percent, country }: Pick<TaxRate, 'name' | 'percent' | 'country'>): string {
  return percent === 0 ? `${name} (${country})` : `${percentText(percent)} ${name} (${country})`;
}
