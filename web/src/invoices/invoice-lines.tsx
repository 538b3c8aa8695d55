import type { Invoice, LineItem } from '@florin/sdk';
import { Button, Fieldset, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { priceText } from '../billing/price-text.ts';
import { useCatalog } from '../billing/use-catalog.ts';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { TaxFields, taxOf } from '../tax/tax-fields.tsx';
import { t } from '../words/t.ts';

type DraftItem = NonNullable<Invoice['draft']>['lineItems'][number];

const OWN_ITEM = '';
const MAX_LINES = 50;

interface Row {
  key: number;
  priceId: string;
  item: DraftItem | undefined;
}

/** Line fields of an invoice: as many as are needed, each a product or an item of one's own. */
export function InvoiceLines({ projectId, items }: { projectId: string | undefined; items: DraftItem[] }) {
  const [rows, setRows] = useState<Row[]>(() => {
    const given = items.length > 0 ? items : [undefined];
    return given.map((item, key) => ({ key, priceId: item?.priceId ?? OWN_ITEM, item }));
  });
  const add = () => setRows([...rows, { key: rows.at(-1)!.key + 1, priceId: OWN_ITEM, item: undefined }]);
  return (
    <>
      {rows.map((row, at) => (
        <LineFields
          key={row.key}
          row={row}
          number={at + 1}
          projectId={projectId}
          onPrice={(priceId) => setRows(rows.map((each) => (each === row ? { ...row, priceId } : each)))}
          onRemove={rows.length > 1 ? () => setRows(rows.filter((each) => each !== row)) : undefined}
        />
      ))}
      {rows.length < MAX_LINES && (
        <Button type="button" variant="default" size="xs" onClick={add}>
          {t('Add line')}
        </Button>
      )}
    </>
  );
}

interface LineFieldsProps {
  row: Row;
  number: number;
  projectId: string | undefined;
  onPrice(priceId: string): void;
  onRemove: (() => void) | undefined;
}

function LineFields({ row, number, projectId, onPrice, onRemove }: LineFieldsProps) {
  const catalog = useCatalog();
  const { key, item } = row;
  const prices = [...catalog.prices.values()].filter(
    (price) =>
      price.projectId === projectId &&
      price.billingMode === 'one_time' &&
      price.isActive &&
      catalog.products.get(price.productId)?.isActive,
  );
  const priceId = prices.some(({ id }) => id === row.priceId) ? row.priceId : OWN_ITEM;
  return (
    <Fieldset legend={t('Line {number}', { number })}>
      <input type="hidden" name="line" value={key} />
      {prices.length > 0 && (
        <NativeSelect
          label={t('Product')}
          name={`price-${key}`}
          value={priceId}
          onChange={(event) => onPrice(event.currentTarget.value)}
          data={[
            { value: OWN_ITEM, label: t('Custom item') },
            ...prices.map((price) => ({
              value: price.id,
              label: priceText(price, catalog.products.get(price.productId)?.name),
            })),
          ]}
          mb="xs"
        />
      )}
      {priceId === OWN_ITEM && (
        <TextInput
          label={t('Description')}
          name={`name-${key}`}
          defaultValue={item?.name ?? ''}
          maxLength={255}
          required
          mb="xs"
        />
      )}
      <Group grow align="end" gap="xs">
        <TextInput
          label={t('Quantity')}
          name={`quantity-${key}`}
          type="number"
          min={1}
          max={10_000}
          defaultValue={item?.quantity ?? 1}
          required
        />
        {priceId === OWN_ITEM && (
          <TextInput
            label={t('Unit price in USDC')}
            name={`amount-${key}`}
            inputMode="decimal"
            placeholder={moneyText(12_000)}
            defaultValue={item?.unitAmountCents == null ? '' : moneyText(item.unitAmountCents)}
            required
            autoComplete="off"
          />
        )}
        {onRemove && (
          <Button
            type="button"
            variant="default"
            onClick={onRemove}
            aria-label={t('Remove line {number}', { number })}
          >
            {t('Remove')}
          </Button>
        )}
      </Group>
      {priceId === OWN_ITEM && (
        <Group grow align="end" gap="xs" mt="xs">
          <TaxFields projectId={projectId} of={item} suffix={`-${key}`} />
        </Group>
      )}
    </Fieldset>
  );
}

/** The lines of a form, as the API takes them. */
export function lineItemsOf(values: FormValues): LineItem[] {
  return values.all('line').map((key, at) => {
    const number = at + 1;
    const quantity = Number(values.count(`quantity-${key}`, t('Line {number}, quantity', { number })));
    const priceId = values.optional(`price-${key}`);
    if (priceId !== null) return { priceId, quantity };
    const { taxBehavior, taxRateId } = taxOf(values, `-${key}`);
    return {
      name: values.text(`name-${key}`),
      unitAmountCents: values.money(`amount-${key}`, t('Line {number}, unit price', { number })),
      quantity,
      ...(taxBehavior !== 'none' && { taxBehavior, taxRateId }),
    };
  });
}
