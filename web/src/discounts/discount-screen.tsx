import type { Discount, PromotionCode } from '@florin/sdk';
import { TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { CatalogStatus } from '../catalog/catalog-screen.tsx';
import { Switch } from '../catalog/switch.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc, tn } from '../words/t.ts';
import { discountText, usesText } from './discount-text.ts';

const CODES: readonly Column<PromotionCode>[] = [
  { title: t('Code'), cell: ({ code }) => <Copyable text={code} label={t('promotion code')} /> },
  { title: t('Status'), cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function DiscountScreen() {
  const can = useCan();
  return (
    <DetailScreen<Discount>
      name="discounts"
      load={(id) => florin.discounts.retrieve(id)}
      back={{ to: '/discounts', label: t('Discounts') }}
      title={({ name }) => name}
      badge={({ isActive }) => <CatalogStatus isActive={isActive} />}
      actions={(discount) =>
        can.change && (
          <Switch
            isActive={discount.isActive}
            label={discount.name}
            change={(isActive) => florin.discounts.update(discount.id, { isActive })}
            refresh={['discounts']}
          />
        )
      }
    >
      {(discount) => <DiscountParts discount={discount} />}
    </DetailScreen>
  );
}

function DiscountParts({ discount }: { discount: Discount }) {
  const can = useCan();
  const of = { discountId: discount.id };
  const columns: readonly Column<PromotionCode>[] = can.change
    ? [...CODES, { title: t('Action'), cell: (code) => <CodeSwitch code={code} />, align: 'right' }]
    : CODES;
  return (
    <>
      <Facts
        of={[
          [t('Terms'), discountText(discount)],
          [t('Used'), usesText(discount)],
          [
            t('Per customer'),
            discount.maxPerCustomer === null ? t('No limit') : String(discount.maxPerCustomer),
          ],
          [t('Starts'), discount.startsAt ? <Time key="s" at={discount.startsAt} /> : '–'],
          [t('Ends'), discount.endsAt ? <Time key="e" at={discount.endsAt} /> : '–'],
          [
            t('Products'),
            discount.productIds === null
              ? tc('products', 'All')
              : tn(discount.productIds.length, '{count} selected', '{count} selected'),
          ],
          [t('Project'), <ProjectLink key="p" id={discount.projectId} />],
          [t('Discount ID'), <Copyable key="i" text={discount.id} label={t('discount ID')} />],
        ]}
      />
      <ShortList
        title={t('Promotion codes')}
        name="promotion-codes"
        of={of}
        rows={100}
        load={(limit) => florin.promotionCodes.list({ ...of, limit })}
        columns={columns}
        empty={t('No promotion codes yet. Add one for customers to enter.')}
        actions={can.change && <NewCode discount={discount} />}
      />
    </>
  );
}

function CodeSwitch({ code }: { code: PromotionCode }) {
  return (
    <Switch
      isActive={code.isActive}
      label={code.code}
      change={(isActive) => florin.promotionCodes.update(code.id, { isActive })}
      refresh={['promotion-codes']}
    />
  );
}

function NewCode({ discount }: { discount: Discount }) {
  return (
    <DialogForm
      button={t('New code')}
      icon="plus"
      kind="main"
      submit={t('Create code')}
      run={(values) =>
        florin.promotionCodes.create({ discountId: discount.id, code: values.optional('code') ?? undefined })
      }
      refresh={['promotion-codes']}
      done={t('Promotion code created.')}
    >
      <TextInput
        label={t('Code')}
        description={t('Letters, digits, - and _. Leave empty for a random one.')}
        name="code"
        maxLength={50}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
