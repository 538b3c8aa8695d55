import type { Subscription } from '@florin/sdk';
import { Radio, Stack, Text } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { momentText } from '../parts/time.tsx';

/** Says what each way of ending does before it is chosen. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const { status, accessUntil, cancelAtPeriodEnd } = subscription;
  const mayWait = status === 'active' && !cancelAtPeriodEnd;
  const until = accessUntil ? momentText(accessUntil) : 'the end of the period';
  return (
    <DialogForm
      button={cancelAtPeriodEnd ? 'End it now' : 'Cancel'}
      title="End this subscription?"
      kind="danger"
      submit="End the subscription"
      run={(values) =>
        florin.subscriptions.cancel(subscription.id, {
          atPeriodEnd: mayWait && values.text('when') !== 'now',
        })
      }
      refresh={['subscriptions', 'invoices', 'checkout-sessions']}
      done={({ status: after }) =>
        after === 'canceled' ? 'The subscription has ended.' : 'It ends with the last paid period.'
      }
    >
      {mayWait ? (
        <Radio.Group name="when" label="When" defaultValue="end">
          <Stack gap="xs" mt={6}>
            <Radio
              value="end"
              label="With the last paid period"
              description={`Access stays until ${until}, then it ends. You can take this back until then.`}
            />
            <Radio
              value="now"
              label="Now"
              description="Access ends at once and cannot be given back. Nothing is refunded by itself."
            />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">
          {status === 'incomplete'
            ? 'It has not begun. Its checkout stops taking money.'
            : 'It ends at once, with its access, and this cannot be undone. Nothing is refunded by itself.'}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        An unpaid renewal is withdrawn; money already on its way becomes the customer’s account credit. With
        the last paid period, a plan change that waits for payment can still be paid; now, it is withdrawn
        too.
      </Text>
    </DialogForm>
  );
}
