import type { Subscription } from '@florin/sdk';
import { Radio, Stack, Text } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { momentText } from '../parts/time.tsx';
import { isRunning } from './subscription-columns.tsx';

/** Explains each way of ending before it is chosen. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const { status, accessUntil, cancelAtPeriodEnd } = subscription;
  const mayWait = isRunning(subscription) && !cancelAtPeriodEnd;
  const until = accessUntil ? momentText(accessUntil) : 'the end of the period';
  return (
    <DialogForm
      button={cancelAtPeriodEnd ? 'End now' : 'Cancel'}
      title="End this subscription?"
      kind="danger"
      submit="End subscription"
      run={(values) =>
        florin.subscriptions.cancel(subscription.id, {
          atPeriodEnd: mayWait && values.text('when') !== 'now',
        })
      }
      refresh={['subscriptions', 'invoices', 'checkout-sessions']}
      done={({ status: after }) =>
        after === 'canceled' ? 'Subscription ended.' : 'It will end with the billing period.'
      }
    >
      {mayWait ? (
        <Radio.Group name="when" label="When" defaultValue="end">
          <Stack gap="xs" mt={6}>
            <Radio
              value="end"
              label={status === 'trialing' ? 'At the end of the trial' : 'At the end of the billing period'}
              description={`Access continues until ${until}. You can undo this until then.`}
            />
            <Radio
              value="now"
              label="Now"
              description="Access ends immediately and can’t be restored. No refund is issued."
            />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">
          {status === 'incomplete'
            ? 'It hasn’t started. Its checkout will stop accepting payments.'
            : 'Access ends immediately and can’t be restored. No refund is issued.'}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        An unpaid renewal is withdrawn; a payment already on its way becomes the customer’s account credit. A
        plan change awaiting payment can still be paid until the billing period ends; if you end the
        subscription now, it is withdrawn too.
      </Text>
    </DialogForm>
  );
}
