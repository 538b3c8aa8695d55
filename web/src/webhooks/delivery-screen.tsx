import type { WebhookDelivery } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

const REFRESH_MS = 3_000;

export default function DeliveryScreen() {
  return (
    <DetailScreen
      name="webhook-deliveries"
      load={(id) => florin.webhookDeliveries.retrieve(id)}
      back={{ to: '/webhooks', label: t('Webhooks') }}
      title={({ event }) => event}
      badge={({ status }) => <Status of={status} />}
      actions={(delivery) => <ResendButton delivery={delivery} />}
      refetchInterval={REFRESH_MS}
    >
      {(delivery) => <Delivery delivery={delivery} />}
    </DetailScreen>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <>
      <Facts
        of={[
          [t('Sent to'), <EndpointLink key="u" delivery={delivery} />],
          [t('Last response'), delivery.httpStatus ?? delivery.error],
          [t('Next attempt'), <Time key="n" at={delivery.nextAttemptAt} />],
          [t('Created'), <Time key="c" at={delivery.createdAt} />],
          [t('Event ID'), <Copyable key="e" text={delivery.eventId} label={t('event ID')} />],
        ]}
      />
      <Section title={t('Attempts')}>
        {delivery.attempts.length === 0 ? (
          t('No attempts yet.')
        ) : (
          <SimpleTable
            caption={t('Attempts')}
            titles={[t('Attempt'), t('Date'), t('Response'), t('Duration'), t('Error')]}
            rows={delivery.attempts.map(({ number, startedAt, httpStatus, durationMs, error }) => ({
              id: String(number),
              cells: [
                number,
                <Time key="t" at={startedAt} />,
                httpStatus ?? '–',
                t('{duration} ms', { duration: durationMs }),
                error ?? '–',
              ],
            }))}
          />
        )}
      </Section>
      <Section title={t('Request body')}>
        <CodeBlock label={t('Request body')} text={pretty(delivery.requestBody)} />
      </Section>
      <Section title={t('Response body')}>
        <CodeBlock label={t('Response body')} text={pretty(delivery.responseBody)} />
      </Section>
    </>
  );
}

function EndpointLink({ delivery }: { delivery: WebhookDelivery }) {
  return (
    <Anchor component={Link} to={`/webhooks/endpoints/${delivery.endpointId}`} size="sm">
      {delivery.url}
    </Anchor>
  );
}

function ResendButton({ delivery }: { delivery: WebhookDelivery }) {
  const can = useCan();
  const navigate = useNavigate();
  if (!can.change) return null;
  return (
    <ActionDialogButton
      label={t('Resend')}
      explanation={t('Sends the same event, with the same ID, to the current URL of its endpoint.')}
      action={{
        run: () => florin.webhookDeliveries.resend(delivery.id),
        done: t('Resent.'),
        refresh: ['webhook-deliveries'],
        onDone: ({ id }) => void navigate({ to: '/webhooks/$id', params: { id } as never }),
      }}
    />
  );
}

/** Bodies are shown indented where they are JSON, and as they are where not. */
function pretty(text: string | null): string | null {
  try {
    return text && JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
