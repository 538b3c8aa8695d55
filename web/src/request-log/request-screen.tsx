import type { RequestLog } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { HttpStatus } from './http-status.tsx';

export default function RequestScreen() {
  return (
    <DetailScreen
      name="request-logs"
      load={(id) => florin.requestLogs.retrieve(id)}
      back={{ to: '/request-log', label: t('Request log') }}
      title={({ method, path }) => `${method} ${path}`}
      badge={({ status }) => <HttpStatus of={status} />}
    >
      {(request) => <Request request={request} />}
    </DetailScreen>
  );
}

function Request({ request }: { request: RequestLog }) {
  const { errorCode, errorMessage, requestBody, idempotencyKey, callerTraceId } = request;
  return (
    <>
      <Facts
        of={[
          [t('Date'), <Time key="d" at={request.createdAt} />],
          [t('Duration'), t('{duration} ms', { duration: request.durationMs })],
          [t('Error'), errorCode],
          [t('Request ID'), <Copyable key="i" text={request.id} label={t('request ID')} />],
          [t('API key ID'), <Copyable key="k" text={request.keyId} label={t('API key ID')} />],
          [
            t('Idempotency key'),
            idempotencyKey && <Copyable key="p" text={idempotencyKey} label={t('idempotency key')} />,
          ],
          [
            t('Trace ID of the caller'),
            callerTraceId && <Copyable key="t" text={callerTraceId} label={t('trace ID')} />,
          ],
        ]}
      />
      {errorMessage && <Section title={t('Error message')}>{errorMessage}</Section>}
      {requestBody && (
        <Section title={t('Request body')}>
          <CodeBlock label={t('Request body')} text={requestBody} />
        </Section>
      )}
    </>
  );
}
