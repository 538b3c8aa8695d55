import { firstIdAt } from '../src/platform/lib/ids.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { comparePages } from './compare-pages.ts';

/** Pages of sessions, invoices and customers. */
export function listPage(run: BenchRun): Promise<BenchResult> {
  return comparePages(run, { paths: PATHS, findSome: FIND_SOME, atLeast: 0.9 });
}

const FIND_SOME = `
  select project_id as project, customer_id as customer, external_customer_id as "externalId"
    from checkout_sessions where merchant_id = $1 limit 1`;

interface Some {
  project: string;
  customer: string;
  externalId: string;
}

const PATHS: Record<string, (some: Some) => string> = {
  sessions: () => '/checkout-sessions',
  'sessions, deep': () => `/checkout-sessions?cursor=${monthAgo()}`,
  'sessions, project': ({ project }) => `/checkout-sessions?projectId=${project}`,
  'sessions, customer': ({ customer }) => `/checkout-sessions?customerId=${customer}`,
  'sessions, many of a status': () => '/checkout-sessions?status=complete',
  'sessions, few of a status': () => '/checkout-sessions?status=canceled',
  'sessions, few of two': ({ project }) =>
    `/checkout-sessions?projectId=${project}&status=open&status=canceled`,
  'sessions, none under way': () => '/checkout-sessions?paymentStatus=processing',
  invoices: () => '/invoices',
  'invoices, project': ({ project }) => `/invoices?projectId=${project}`,
  'invoices, external customer': ({ externalId }) => `/invoices?externalCustomerId=${externalId}`,
  'invoices, few of a status': () => '/invoices?status=void',
  'invoices, few of two': ({ project }) => `/invoices?projectId=${project}&status=open&status=void`,
  customers: () => '/customers',
  'customers, project': ({ project }) => `/customers?projectId=${project}`,
};

function monthAgo(): string {
  const id = firstIdAt(new Date(Date.now() - 30 * 86_400_000));
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}
