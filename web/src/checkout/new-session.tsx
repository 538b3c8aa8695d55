import type { CheckoutSession, CreateCheckoutSessionRequest, Price } from '@florin/sdk';
import { Checkbox, Collapse, NativeSelect, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { priceText } from '../billing/price-text.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { useCatalog } from '../billing/use-catalog.ts';
import { useProjects } from '../billing/use-projects.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';
import { readTips, USUAL_TIPS } from './usual-tips.ts';

const OWN_AMOUNT = '';
const URL_START = 'https://';

export function NewSession({ onDone }: { onDone(session: CheckoutSession): void }) {
  const { prices } = useCatalog();
  return (
    <DialogForm
      button={t('New checkout')}
      icon="plus"
      kind="main"
      submit={t('Create checkout')}
      run={async (values) => florin.checkoutSessions.create(requestOf(values, prices))}
      refresh={['checkout-sessions', 'invoices', 'customers', 'subscriptions']}
      done={t('Checkout created. Copy the link and send it to your customer.')}
      onDone={onDone}
    >
      <SessionFields />
    </DialogForm>
  );
}

function SessionFields() {
  const { open } = useProjects();
  const [chosen, setChosen] = useState<string>();
  const [priceId, setPriceId] = useState(OWN_AMOUNT);
  const [hasMore, { toggle }] = useDisclosure();
  const catalog = useCatalog();
  const projectId = chosen ?? open[0]?.id;
  const onSale = [...catalog.prices.values()].filter(
    (price) =>
      price.projectId === projectId && price.isActive && catalog.products.get(price.productId)?.isActive,
  );
  const price = catalog.prices.get(priceId);
  const mode = price?.billingMode ?? 'one_time';
  const needsCustomer = mode !== 'one_time';
  const choose = (id: string) => {
    setChosen(id);
    setPriceId(OWN_AMOUNT);
  };
  return (
    <>
      <ProjectField value={projectId} onChange={choose} />
      <NativeSelect
        label={t('Product')}
        name="priceId"
        value={priceId}
        onChange={(event) => setPriceId(event.currentTarget.value)}
        data={[
          { value: OWN_AMOUNT, label: t('Custom amount') },
          ...onSale.map((price) => ({
            value: price.id,
            label: priceText(price, catalog.products.get(price.productId)?.name),
          })),
        ]}
      />
      {priceId === OWN_AMOUNT && (
        <TextInput
          label={t('Amount in USDC')}
          name="amount"
          inputMode="decimal"
          placeholder={moneyText(1200)}
          required
          autoComplete="off"
          data-autofocus
        />
      )}
      {priceId !== OWN_AMOUNT && (
        <TextInput
          label={t('Quantity')}
          name="quantity"
          type="number"
          min={1}
          max={10_000}
          defaultValue={1}
          required
        />
      )}
      {mode === 'subscription' && (
        <TextInput
          label={t('Free trial in days')}
          description={t('Free at first, once for each customer. 0 for none.')}
          name="trialDays"
          inputMode="numeric"
          defaultValue={price?.trialDays ?? ''}
          // Each price has its own.
          key={priceId}
          autoComplete="off"
        />
      )}
      <TextInput
        label={t('Your customer ID')}
        description={needsCustomer ? t('Existing or new.') : t('Existing or new. Optional.')}
        name="externalCustomerId"
        maxLength={255}
        required={needsCustomer}
      />
      <TextInput
        label={t('Reference')}
        description={t('Such as an order number. Optional.')}
        name="merchantReference"
        maxLength={255}
      />
      <UnstyledButton
        type="button"
        onClick={toggle}
        aria-expanded={hasMore}
        c="var(--mantine-color-anchor)"
        fz="sm"
      >
        {hasMore ? t('Fewer options') : t('More options')}
      </UnstyledButton>
      <Collapse expanded={hasMore}>
        <Stack gap="sm">
          <TextInput label={t('Customer e-mail')} name="customerEmail" type="email" maxLength={254} />
          <Checkbox label={t('Customers can enter a promotion code')} name="allowPromotionCodes" />
          {mode === 'one_time' && (
            <TextInput
              label={t('Tips in percent')}
              description={t('Customers can add one of them or any amount, e.g. {tips}. Blank for no tips.', {
                tips: USUAL_TIPS.join(', '),
              })}
              name="tipPercents"
              autoComplete="off"
            />
          )}
          <TextInput label={t('Success URL')} name="successUrl" type="url" placeholder={URL_START} />
          <TextInput label={t('Cancel URL')} name="cancelUrl" type="url" placeholder={URL_START} />
        </Stack>
      </Collapse>
    </>
  );
}

function requestOf(values: FormValues, prices: ReadonlyMap<string, Price>): CreateCheckoutSessionRequest {
  const price = prices.get(values.text('priceId'));
  const session = {
    projectId: values.text('projectId'),
    externalCustomerId: values.optional('externalCustomerId'),
    merchantReference: values.optional('merchantReference'),
    customerEmail: values.optional('customerEmail'),
    successUrl: values.optional('successUrl'),
    cancelUrl: values.optional('cancelUrl'),
    allowPromotionCodes: values.isOn('allowPromotionCodes'),
  };
  const tips = { tipPercents: readTips(values.figures('tipPercents')) };
  if (!price)
    return { ...session, ...tips, mode: 'one_time', amountCents: values.money('amount', t('Amount')) };
  const { billingMode: mode, id: priceId } = price;
  const quantity = Number(values.count('quantity', t('Quantity')));
  const bought = quantity === 1 ? { priceId } : { lineItems: [{ priceId, quantity }] };
  if (mode === 'one_time') return { ...session, ...tips, mode, ...bought };
  const externalCustomerId = values.text('externalCustomerId');
  if (mode === 'balance_top_up') return { ...session, mode, ...bought, externalCustomerId };
  const trialDays = values.optionalCount('trialDays', t('Free trial'));
  // The price's own trial is not sent, so that it is skipped for customers who have had theirs.
  const trial =
    trialDays === null || Number(trialDays) === price.trialDays ? {} : { trialDays: Number(trialDays) };
  return { ...session, mode, ...bought, ...trial, externalCustomerId };
}
