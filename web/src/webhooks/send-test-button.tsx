import type { SandboxEventRequest } from '@florin/sdk';
import { NativeSelect } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { t } from '../words/t.ts';

const EVENTS: SandboxEventRequest['event'][] = [
  'payment_intent.succeeded',
  'payment_intent.underpaid',
  'payment_intent.expired',
  'checkout.session.completed',
  'invoice.paid',
  'invoice.overdue',
  'subscription.activated',
  'subscription.renewed',
  'subscription.past_due',
  'subscription.canceled',
  'customer.balance_low',
];

/** A sample, signed and sent like any other. */
export function SendTestButton() {
  return (
    <ActionDialogButton
      label={t('Send test event')}
      submit={t('Send')}
      explanation={t('Sends a sample event with made-up data, signed like any other.')}
      action={{
        run: (given) =>
          florin.sandbox.sendEvent({ event: given.text('event') as SandboxEventRequest['event'] }),
        done: t('Test event sent.'),
        refresh: ['webhook-deliveries'],
      }}
    >
      <NativeSelect label={t('Event')} name="event" data={EVENTS} />
    </ActionDialogButton>
  );
}
