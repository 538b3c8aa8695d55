import type { RequestLog, RequestLogsListQuery } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { type Column, type Filter, firstOf, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { HttpStatus } from './http-status.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'isFailed',
    label: t('Result'),
    options: ['true', 'false'],
    labels: { true: t('Failed requests'), false: t('Successful requests') },
  },
  {
    kind: 'choice',
    name: 'method',
    label: t('Method'),
    options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    labels: { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' },
  },
  { kind: 'text', name: 'path', label: t('Path'), placeholder: '/api/v2/customers' },
  { kind: 'text', name: 'status', label: t('HTTP status'), placeholder: '409' },
];

const COLUMNS: readonly Column<RequestLog>[] = [
  {
    title: t('Request'),
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
    share: '55%',
  },
  { title: t('HTTP status'), cell: ({ status }) => <HttpStatus of={status} /> },
  { title: t('Error'), cell: ({ errorCode }) => errorCode ?? '–', wideOnly: true },
  {
    title: t('Duration'),
    cell: ({ durationMs }) => t('{duration} ms', { duration: durationMs }),
    align: 'right',
    wideOnly: true,
  },
  { title: t('Date'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

/** Requests are no events. */
const REFRESH_MS = 5_000;

/** Log of requests by the shop's API keys, for people who build against the API. */
export default function RequestLogScreen() {
  return (
    <ListScreen<RequestLog, RequestLogsListQuery>
      title={t('Request log')}
      name="request-logs"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        isFailed: firstOf(search.isFailed) as RequestLogsListQuery['isFailed'],
        method: firstOf(search.method) as RequestLogsListQuery['method'],
        path: firstOf(search.path),
        status: statusOf(firstOf(search.status)),
      })}
      load={(query) => florin.requestLogs.list(query)}
      hrefOf={({ id }) => `/request-log/${id}`}
      refetchInterval={REFRESH_MS}
      empty={
        <Empty title={t('No requests yet')}>
          {t('What your servers request with an API key appears here within a second or two.')}
        </Empty>
      }
    />
  );
}

/** Anything but three digits asks for nothing. */
const statusOf = (text: string | undefined) =>
  text !== undefined && /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
