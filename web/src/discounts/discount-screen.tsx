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
import { discountText, usesText } from './discount-text.ts';

const CODES: readonly Column<PromotionCode>[] = [
  { title: 'Code', cell: ({ code }) => <Copyable text={code} label="promotion code" /> },
  { title: 'Status', cell: ({ isActive }) => <CatalogStatus isActive={isActive} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function DiscountScreen() {
  const can = useCan();
  return (
    <DetailScreen<Discount>
      name="discounts"
      load={(id) => florin.discounts.retrieve(id)}
      back={{ to: '/discounts', label: 'Discounts' }}
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
    ? [...CODES, { title: 'Action', cell: (code) => <CodeSwitch code={code} />, align: 'right' }]
    : CODES;
  return (
    <>
      <Facts
        of={[
          ['Terms', discountText(discount)],
          ['Used', usesText(discount)],
          ['Per customer', discount.maxPerCustomer === null ? 'No limit' : String(discount.maxPerCustomer)],
          ['Starts', discount.startsAt ? <Time key="s" at={discount.startsAt} /> : '–'],
          ['Ends', discount.endsAt ? <Time key="e" at={discount.endsAt} /> : '–'],
          ['Products', discount.productIds === null ? 'All' : `${discount.productIds.length} selected`],
          ['Project', <ProjectLink key="p" id={discount.projectId} />],
          ['Discount ID', <Copyable key="i" text={discount.id} label="discount ID" />],
        ]}
      />
      <ShortList
        title="Promotion codes"
        name="promotion-codes"
        of={of}
        rows={100}
        load={(limit) => florin.promotionCodes.list({ ...of, limit })}
        columns={columns}
        empty="No promotion codes yet. Add one for customers to enter."
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
      button="New code"
      icon="plus"
      kind="main"
      submit="Create code"
      run={(values) =>
        florin.promotionCodes.create({ discountId: discount.id, code: values.optional('code') ?? undefined })
      }
      refresh={['promotion-codes']}
      done="Promotion code created."
    >
      <TextInput
        label="Code"
        description="Letters, digits, - and _. Leave empty for a random one."
        name="code"
        maxLength={50}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
