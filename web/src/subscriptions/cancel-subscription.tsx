import type { Subscription } from '@florin/sdk';
import { Radio, Stack, Text } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { momentText } from '../parts/time.tsx';
import { t, tc } from '../words/t.ts';
import { isRunning } from './subscription-columns.tsx';

/** Explains each way of ending before it is chosen. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const { status, accessUntil, cancelAtPeriodEnd } = subscription;
  const mayWait = isRunning(subscription) && !cancelAtPeriodEnd;
  return (
    <DialogForm
      button={cancelAtPeriodEnd ? t('End now') : tc('subscription', 'Cancel')}
      title={t('End this subscription?')}
      kind="danger"
      submit={t('End subscription')}
      run={(values) =>
        florin.subscriptions.cancel(subscription.id, {
          atPeriodEnd: mayWait && values.text('when') !== 'now',
        })
      }
      refresh={['subscriptions', 'invoices', 'checkout-sessions']}
      done={({ status: after }) =>
        after === 'canceled' ? t('Subscription ended.') : t('It will end with the billing period.')
      }
    >
      {mayWait ? (
        <Radio.Group name="when" label={t('When')} defaultValue="end">
          <Stack gap="xs" mt={6}>
            <Radio
              value="end"
              label={
                status === 'trialing' ? t('At the end of the trial') : t('At the end of the billing period')
              }
              description={accessText(accessUntil)}
            />
            <Radio
              value="now"
              label={t('Now')}
              description={t('Access ends immediately and can’t be restored. No refund is issued.')}
            />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">
          {status === 'incomplete'
            ? t('It hasn’t started. Its checkout will stop accepting payments.')
            : t('Access ends immediately and can’t be restored. No refund is issued.')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(
          'An unpaid renewal is withdrawn; a payment already on its way becomes the customer’s account credit. A plan change awaiting payment can still be paid until the billing period ends; if you end the subscription now, it is withdrawn too.',
        )}
      </Text>
    </DialogForm>
  );
}

function accessText(until: Subscription['accessUntil']): string {
  return until
    ? t('Access continues until {time}. You can undo this until then.', { time: momentText(until) })
    : t('Access continues until the end of the period. You can undo this until then.');
}
