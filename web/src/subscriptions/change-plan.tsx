import type { Subscription, SubscriptionChangePreview } from '@florin/sdk';
import { Alert, Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../app/action.ts';
import { codeOf, florin } from '../app/florin.ts';
import { priceText } from '../billing/price-text.ts';
import { useCatalog } from '../billing/use-catalog.ts';
import { LINE_COLUMNS, lineKeys } from '../invoices/invoice-screen.tsx';
import { Facts } from '../parts/detail-screen.tsx';
import { Problem } from '../parts/form-dialog.tsx';
import { Money } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Time } from '../parts/time.tsx';

type Behavior = SubscriptionChangePreview['prorationBehavior'] | 'auto';

const WAYS: readonly { value: Behavior; label: string }[] = [
  { value: 'auto', label: 'As usual: dearer now, cheaper with the next period' },
  { value: 'charge_now', label: 'Now, paying the difference' },
  { value: 'next_period', label: 'With the next period' },
  { value: 'reset', label: 'Now, with a new period from today' },
  { value: 'none', label: 'Now, at no charge' },
];

/** Nothing is changed before what it costs was seen; what was seen is what is billed. */
export function ChangePlan({ subscription }: { subscription: Subscription }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Change plan
      </Button>
      <Modal opened={isOpen} onClose={close} title="Change the plan" size="lg">
        <Steps subscription={subscription} close={close} />
      </Modal>
    </>
  );
}

function Steps({ subscription, close }: { subscription: Subscription; close(): void }) {
  const [preview, setPreview] = useState<SubscriptionChangePreview>();
  const [chosen, setChosen] = useState({ priceId: '', behavior: 'auto' as Behavior });
  if (preview) {
    return <Confirm preview={preview} back={() => setPreview(undefined)} close={close} />;
  }
  return <Choose subscription={subscription} chosen={chosen} onChoose={setChosen} onPreview={setPreview} />;
}

interface ChooseProps {
  subscription: Subscription;
  chosen: { priceId: string; behavior: Behavior };
  onChoose(chosen: ChooseProps['chosen']): void;
  onPreview(preview: SubscriptionChangePreview): void;
}

function Choose({ subscription, chosen, onChoose, onPreview }: ChooseProps) {
  const catalog = useCatalog();
  const plans = [...catalog.prices.values()].filter(
    (price) =>
      price.projectId === subscription.projectId &&
      price.billingMode === 'subscription' &&
      price.isActive &&
      price.id !== subscription.priceId &&
      catalog.products.get(price.productId)?.isActive,
  );
  const priceId = chosen.priceId || plans[0]?.id;
  const ask = useAction<void, SubscriptionChangePreview>({
    run: () =>
      florin.subscriptions.previewChange(subscription.id, {
        priceId: priceId!,
        prorationBehavior: chosen.behavior,
      }),
    showsError: true,
    onDone: onPreview,
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate();
  };
  if (catalog.isRead && plans.length === 0) {
    return (
      <Text size="sm">
        There is no other subscription price on sale in this project. Add one in the catalog.
      </Text>
    );
  }
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <NativeSelect
          label="New plan"
          value={priceId}
          onChange={(event) => onChoose({ ...chosen, priceId: event.currentTarget.value })}
          data={plans.map((price) => ({ value: price.id, label: priceText(price, catalog) }))}
          data-autofocus
        />
        <NativeSelect
          label="When and how"
          value={chosen.behavior}
          onChange={(event) => onChoose({ ...chosen, behavior: event.currentTarget.value as Behavior })}
          data={[...WAYS]}
        />
        {subscription.pendingChange && (
          <Alert color="yellow">A change waits already. This one takes its place.</Alert>
        )}
        <Problem error={ask.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={ask.isPending} disabled={!priceId}>
            Show what it costs
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
        previewToken: preview.previewToken,
      }),
    refresh: ['subscriptions', 'invoices', 'checkout-sessions', 'customers'],
    done: ({ pendingChange }) =>
      pendingChange ? 'The change is arranged and waits.' : 'The plan is changed.',
    showsError: true,
    onDone: close,
  });
  return (
    <Stack gap="sm">
      <Text size="sm">{meaningOf(preview)}</Text>
      {preview.lines.length > 0 && (
        <PlainTable
          caption="What is billed"
          columns={LINE_COLUMNS}
          items={preview.lines}
          idOf={lineKeys(preview.lines)}
        />
      )}
      <Facts
        of={[
          ['Credit for the old plan', <Money key="cr" cents={preview.creditCents} />],
          ['For the new plan', <Money key="ch" cents={preview.chargeCents} />],
          ['Account credit used', <Money key="ac" cents={preview.accountCreditAppliedCents} />],
          ['To pay', <Money key="du" cents={preview.amountDueCents} />],
          ['Takes effect', <Time key="ef" at={preview.effectiveAt} />],
          ['Next invoice', <Money key="ne" cents={preview.nextInvoice.amountCents} />],
          ['On', <Time key="on" at={preview.nextInvoice.date} />],
        ]}
      />
      <Problem error={confirm.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={back}>
          {codeOf(confirm.error) === 'PREVIEW_STALE' ? 'Look again' : 'Back'}
        </Button>
        <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
          Change the plan
        </Button>
      </Group>
    </Stack>
  );
}

function meaningOf({ prorationBehavior, amountDueCents }: SubscriptionChangePreview): string {
  if (prorationBehavior === 'next_period')
    return 'The present plan stays until its period ends; then the new one begins.';
  if (BigInt(amountDueCents) > 0n) {
    return 'The customer is asked for the amount to pay. The present plan stays until it is paid, for a day at most.';
  }
  return 'Nothing is to be paid: the new plan begins as soon as you confirm.';
}
