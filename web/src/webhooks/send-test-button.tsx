import type { SandboxEventRequest } from '@florin/sdk';
import { NativeSelect } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';

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
      label="Send test event"
      submit="Send"
      explanation="Sends a sample event with made-up data, signed like any other."
      action={{
        run: (given) =>
          florin.sandbox.sendEvent({ event: given.text('event') as SandboxEventRequest['event'] }),
        done: 'Test event sent.',
        refresh: ['webhook-deliveries'],
      }}
    >
      <NativeSelect label="Event" name="event" data={EVENTS} />
    </ActionDialogButton>
  );
}
