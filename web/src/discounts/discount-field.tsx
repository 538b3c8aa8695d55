import type { Invoice, UpdateInvoiceRequest } from '@florin/sdk';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import type { FormValues } from '../parts/form-values.ts';
import { t, tc } from '../words/t.ts';
import { discountText } from './discount-text.ts';

const MAX = 500;
const NONE = '';
/** A code that the draft was given over the API. */
const KEPT = 'kept';

interface DiscountFieldProps {
  projectId: string | undefined;
  draft?: Invoice['draft'] | undefined;
}

/** A discount of the project; nothing to choose from, no field. */
export function DiscountField({ projectId, draft }: DiscountFieldProps) {
  const { data: discounts = [] } = useQuery({
    queryKey: ['discounts', 'of-project', projectId],
    queryFn: () =>
      florin.discounts.list({ projectId: projectId!, isActive: true, limit: 100 }).toArray({ limit: MAX }),
    enabled: projectId !== undefined,
  });
  const code = draft?.promotionCode;
  const isUnlisted = draft?.discountId && !discounts.some(({ id }) => id === draft.discountId);
  if (discounts.length === 0 && !code && !isUnlisted) return null;
  return (
    <NativeSelect
      label={t('Discount')}
      name="discount"
      defaultValue={code ? KEPT : (draft?.discountId ?? NONE)}
      // The choices arrive after the field: it starts again with them.
      key={discounts.length}
      data={[
        { value: NONE, label: tc('discount', 'None') },
        ...(code ? [{ value: KEPT, label: t('Promotion code {code}', { code }) }] : []),
        ...(isUnlisted ? [{ value: draft.discountId!, label: t('As it is now') }] : []),
        ...discounts.map((discount) => ({
          value: discount.id,
          label: t('{name}, {terms}', { name: discount.name, terms: discountText(discount) }),
        })),
      ]}
    />
  );
}

export function discountOf(values: FormValues): Pick<UpdateInvoiceRequest, 'discountId' | 'promotionCode'> {
  const chosen = values.text('discount');
  if (chosen === KEPT) return {};
  return chosen === NONE ? { discountId: null, promotionCode: null } : { discountId: chosen };
}
