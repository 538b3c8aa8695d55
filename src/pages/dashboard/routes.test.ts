import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../platform/http/route.ts';
import { answerError } from '../../platform/http/server.ts';
import { builtFiles } from './built-files.ts';
import { dashboardPages } from './routes.ts';

test('503 where nothing is built: a page that says what to do for a browser, the envelope for a program', async () => {
  const app = Fastify() as unknown as App;
  onTestFinished(() => app.close());
  app.setErrorHandler(answerError);
  dashboardPages(app, undefined, builtFiles('/nowhere'));
  const load = (accept: string) => app.inject({ url: '/dashboard/payments', headers: { accept } });

  const page = await load('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<h1>The dashboard is not built</h1>');
  expect(page.body).toContain('<code>npm run build:web</code>');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");

  const answer = await load('application/json');
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(answer.json().error.message).toContain('npm run build:web');
});
