import type { CreatePaymentLinkRequest, PaymentLinkSetup, Project } from '@florin/sdk';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useSession } from '../app/session.ts';
import { USUAL_TIPS } from '../checkout/usual-tips.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { Icon } from '../parts/icon.tsx';
import { moneyText, requireMoney } from '../parts/money.tsx';
import { t } from '../words/t.ts';

const MODES = [
  { value: 'one_time', label: t('One-time') },
  { value: 'subscription', label: t('Monthly') },
];

/** Product, price and link in one step. */
export function CreateLinkButton() {
  const navigate = useNavigate();
  const { merchant } = useSession();
  const [mode, setMode] = useState('one_time');
  const [isOpen, setOpen] = useState(false);
  const { data: projects } = useQuery({
    queryKey: ['projects', 'choice'],
    queryFn: async () =>
      (await florin.projects.list({ limit: 100 })).data.filter(({ archivedAt }) => !archivedAt),
  });
  return (
    <ActionDialogButton<PaymentLinkSetup>
      label={t('Create link')}
      button={{ leftSection: <Icon name="plus" /> }}
      action={{
        run: (given) => createLink(given, projects ?? [], merchant.name),
        done: t('Payment link created.'),
        refresh: ['payment-links', 'projects'],
        onDone: ({ paymentLink }) =>
          void navigate({ to: '/payment-links/$id', params: { id: paymentLink.id } as never }),
      }}
    >
      <TextInput label={t('Product name')} name="productName" required data-autofocus />
      <TextInput
        label={t('Price in USDC')}
        name="amount"
        inputMode="decimal"
        placeholder={moneyText(2500)}
        required
      />
      {mode === 'one_time' && (
        <Checkbox
          name="isOpen"
          label={t('Customers choose the amount')}
          description={t('For donations and “pay what you want”. The price is the default.')}
          checked={isOpen}
          onChange={(event) => setOpen(event.currentTarget.checked)}
        />
      )}
      {mode === 'one_time' && isOpen && (
        <>
          <TextInput
            label={t('At least, in USDC')}
            name="least"
            inputMode="decimal"
            defaultValue={moneyText(100)}
            required
          />
          <TextInput
            label={t('Suggested amounts')}
            description={t('Up to six, separated by spaces. Optional.')}
            name="suggested"
            placeholder="5 10 25"
          />
        </>
      )}
      <NativeSelect
        label={t('Billing')}
        name="billingMode"
        data={MODES}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value)}
      />
      {projects && projects.length > 1 && (
        <NativeSelect
          label={t('Project')}
          name="projectId"
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Checkbox
        name="collectEmail"
        label={t('Ask customers for their e-mail address')}
        key={mode}
        defaultChecked={mode === 'subscription'}
      />
      <Checkbox name="allowCodes" label={t('Customers can enter a promotion code')} />
      {mode === 'one_time' && (
        <Checkbox name="allowTips" label={t('Customers can add a tip (10, 15 or 20%)')} />
      )}
    </ActionDialogButton>
  );
}

async function createLink(
  given: FormValues,
  projects: readonly Project[],
  shop: string | null,
): Promise<PaymentLinkSetup> {
  const unitAmountCents = amountIn(t('Price'), given.text('amount'));
  const isSubscription = given.text('billingMode') === 'subscription';
  return florin.paymentLinks.setUp({
    projectId: given.text('projectId') || (projects[0] ?? (await firstProject(shop))).id,
    productName: given.text('productName'),
    unitAmountCents,
    collectCustomerEmail: given.text('collectEmail') === 'on',
    allowPromotionCodes: given.text('allowCodes') === 'on',
    ...(isSubscription
      ? { billingMode: 'subscription', recurringInterval: 'month' }
      : { billingMode: 'one_time', openAmount: openAmountOf(given), tipPercents: tipsOf(given) }),
  });
}

function openAmountOf(given: FormValues): CreatePaymentLinkRequest['openAmount'] {
  if (!given.isOn('isOpen')) return null;
  const suggested = given.optional('suggested')?.split(/[\s;]+/) ?? [];
  return {
    minCents: amountIn(t('At least'), given.text('least')),
    suggestedCents: suggested.map((text) => amountIn(t('Suggested amounts'), text)),
  };
}

function tipsOf(given: FormValues): number[] {
  return given.isOn('allowTips') ? USUAL_TIPS : [];
}

function amountIn(label: string, text: string): bigint {
  const cents = requireMoney(label, text);
  if (cents > 0n) return cents;
  throw new Error(t('{label}: enter an amount such as 12 or 12.50.', { label }));
}

/** Billing is organized in projects; a merchant without one should not have to know. */
function firstProject(shop: string | null): Promise<Project> {
  return florin.projects.create({ name: shop ?? 'My shop' });
}
