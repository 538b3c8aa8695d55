import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../test/support/database.ts';
import { readConfig } from './config.ts';
import { examine } from './doctor.ts';
import { secretBox } from './lib/secret-box.ts';

test.each([
  [true, {}],
  [true, { PUBLIC_URL: 'http://pay.example.com' }],
  [false, { PUBLIC_URL: 'https://pay.example.com' }],
  [true, { PUBLIC_URL: 'https://pay.example.com', TRUST_PROXY: '127.0.0.1' }],
])('the check of the proxy answers %s for %o', async (ok, env) => {
  const db = await testDatabase();
  const findings = await examine({
    config: readConfig(env),
    db,
    secrets: secretBox(randomBytes(32)),
    onlyInvariants: false,
    onFinding: () => {},
  });
  expect(findings.find(({ check }) => check === 'proxy')).toMatchObject({ ok });
});
