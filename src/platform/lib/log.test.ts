import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('no secret survives the log, wherever it is put', () => {
  const lines: string[] = [];
  const log = createLog('trace', (line) => lines.push(line));
  const key = 'fl_live_oDBcAownLz5nvopq8QjxtWLe8LHm9eHz3d4lUz';
  log.info({ headers: { authorization: `Bearer ${key}` } }, `used ${key}`);
  log.error(
    { err: new Error(`connect postgres://florin:hunter2@db.internal/florin failed for ${key}`) },
    'x',
  );
  log.warn({ deep: [{ er: 'whsec_hBtWQCdV2vPh4R4YpnGhOvyNAKLS4pPan7YwIbg7' }] });
  log.warn(`GET /portal/portal_${'q7Zx'.repeat(10)}abc`);
  log.warn(`GET /refunds/refund_${'m3Kw'.repeat(10)}abc`);
  const text = lines.join('');
  expect(text).toContain('[redacted]');
  expect(text).not.toMatch(/oDBcAown|hunter2|hBtWQ|q7Zx|m3Kw/);
  expect(text).toContain('db.internal');
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

test('row values that PostgreSQL quotes stay out of the log; the rest of its error is logged', () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const error = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
  });
  log.error({ err: error }, 'job failed');
  expect(lines[0]).toContain('duplicate key value');
  expect(lines[0]).toContain('23505');
  expect(lines[0]).not.toContain('ada@example.com');
});

test('a reason is printed once, whether the message names its cause or not', () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const cause = new Error('connect ECONNREFUSED');
  log.error({ err: new Error('the database cannot be reached: connect ECONNREFUSED', { cause }) }, 'a');
  log.error({ err: new Error('a payment could not be sent', { cause }) }, 'b');
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual([
    'the database cannot be reached: connect ECONNREFUSED',
    'a payment could not be sent: connect ECONNREFUSED',
  ]);
});
