import type { Subscription, SubscriptionChangePreview } from '@florin/sdk';
import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../app/action.ts';
import { codeOf, florin } from '../app/florin.ts';
import { planText } from '../billing/price-text.ts';
import { useCatalog } from '../billing/use-catalog.ts';
import { Lines } from '../invoices/lines.tsx';
import { taxFacts } from '../invoices/tax-facts.tsx';
import { Facts } from '../parts/detail-screen.tsx';
import { Problem } from '../parts/form-dialog.tsx';
import { Money } from '../parts/money.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

type Behavior = SubscriptionChangePreview['prorationBehavior'] | 'auto';

const WAYS: readonly { value: Behavior; label: string }[] = [
  { value: 'auto', label: t('Default: upgrade now, downgrade at renewal') },
  { value: 'charge_now', label: t('Now, charge the difference') },
  { value: 'next_period', label: t('At renewal') },
  { value: 'reset', label: t('Now, and start a new billing period') },
  { value: 'none', label: t('Now, free of charge') },
];

/** Nothing is changed before what it costs was seen; what was seen is what is billed. */
export function ChangePlan({ subscription }: { subscription: Subscription }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('Change plan')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('Change plan')} size="lg">
        <Steps subscription={subscription} close={close} />
      </Modal>
    </>
  );
}

function Steps({ subscription, close }: { subscription: Subscription; close(): void }) {
  const [preview, setPreview] = useState<SubscriptionChangePreview>();
  const [chosen, setChosen] = useState<Chosen>({
    priceId: '',
    quantity: subscription.quantity,
    behavior: 'auto',
  });
  if (preview) {
    return <Confirm preview={preview} back={() => setPreview(undefined)} close={close} />;
  }
  return <Choose subscription={subscription} chosen={chosen} onChoose={setChosen} onPreview={setPreview} />;
}

interface Chosen {
  priceId: string;
  quantity: number;
  behavior: Behavior;
}

interface ChooseProps {
  subscription: Subscription;
  chosen: Chosen;
  onChoose(chosen: Chosen): void;
  onPreview(preview: SubscriptionChangePreview): void;
}

function Choose({ subscription, chosen, onChoose, onPreview }: ChooseProps) {
  const catalog = useCatalog();
  const plans = [...catalog.prices.values()].filter(
    (price) =>
      price.projectId === subscription.projectId &&
      price.billingMode === 'subscription' &&
      (price.id === subscription.priceId ||
        (price.isActive && catalog.products.get(price.productId)?.isActive)),
  );
  const others = plans.filter((price) => price.id !== subscription.priceId);
  const priceId = chosen.priceId || others[0]?.id || subscription.priceId;
  const ask = useAction<void, SubscriptionChangePreview>({
    run: () =>
      florin.subscriptions.previewChange(subscription.id, {
        priceId,
        quantity: chosen.quantity,
        prorationBehavior: chosen.behavior,
      }),
    showsError: true,
    onDone: onPreview,
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <NativeSelect
          label={t('New plan')}
          value={priceId}
          onChange={(event) => onChoose({ ...chosen, priceId: event.currentTarget.value })}
          data={plans.map((price) => ({
            value: price.id,
            label: planText(price, catalog.products.get(price.productId)?.name),
          }))}
          data-autofocus
        />
        <TextInput
          label={t('Quantity')}
          type="number"
          min={1}
          max={10_000}
          required
          value={chosen.quantity || ''}
          onChange={(event) => onChoose({ ...chosen, quantity: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={t('Timing')}
          value={chosen.behavior}
          onChange={(event) => onChoose({ ...chosen, behavior: event.currentTarget.value as Behavior })}
          data={[...WAYS]}
        />
        {subscription.pendingChange && (
          <Alert color="yellow">{t('There is already a pending change. This one will replace it.')}</Alert>
        )}
        <Problem error={ask.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={ask.isPending}>
            {t('Preview charges')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConfirmProps {
  preview: SubscriptionChangePreview;
  back(): void;
  close(): void;
}

function Confirm({ preview, back, close }: ConfirmProps) {
  const confirm = useAction<void, Subscription>({
    run: () =>
      florin.subscriptions.update(preview.subscriptionId, {
        priceId: preview.newPriceId,
        quantity: preview.newQuantity,
        previewToken: preview.previewToken,
      }),
    refresh: ['subscriptions', 'invoices', 'checkout-sessions', 'customers'],
    done: ({ pendingChange }) => (pendingChange ? t('Plan change pending.') : t('Plan changed.')),
    showsError: true,
    onDone: close,
  });
  return (
    <Stack gap="sm">
      <Text size="sm">{meaningOf(preview)}</Text>
      {preview.lines.length > 0 && <Lines of={preview.lines} />}
      <Facts
        of={[
          [t('Credit for the old plan'), <Money key="cr" cents={preview.creditCents} />],
          [t('Charge for the new plan'), <Money key="ch" cents={preview.chargeCents} />],
          ...taxFacts(preview.taxes),
          [t('Credit applied'), <Money key="ac" cents={preview.accountCreditAppliedCents} />],
          [t('Amount due'), <Money key="du" cents={preview.amountDueCents} />],
          [t('Takes effect'), <Time key="ef" at={preview.effectiveAt} />],
          [t('Next invoice'), <Money key="ne" cents={preview.nextInvoice.amountCents} />],
          [t('Next invoice date'), <Time key="on" at={preview.nextInvoice.date} />],
        ]}
      />
      <Problem error={confirm.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={back}>
          {codeOf(confirm.error) === 'PREVIEW_STALE' ? t('Preview again') : t('Back')}
        </Button>
        <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
          {t('Change plan')}
        </Button>
      </Group>
    </Stack>
  );
}

function meaningOf({ prorationBehavior, amountDueCents }: SubscriptionChangePreview): string {
  if (prorationBehavior === 'next_period')
    return t('The current plan stays until the billing period ends. Then the new plan starts.');
  if (BigInt(amountDueCents) > 0n) {
    return t(
      'The customer is asked to pay the amount due. The current plan stays until this is paid. The offer expires after 24 hours.',
    );
  }
  return t('Nothing is due. The new plan starts as soon as you confirm.');
}
