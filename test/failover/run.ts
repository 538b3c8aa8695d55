import { parseArgs } from 'node:util';
import { cleanUpAll } from '../support/clean-up.ts';
import { failOver } from './fail-over.ts';
import { FAULTS } from './faults.ts';
import { recordReport, reportText } from './report.ts';

/**
 * `npm run failover -- --rounds 20 [--through haproxy|hosts] [--asynchronous] [--record]`: the service on a replicated
 * PostgreSQL whose leader is killed, frozen and replaced again and again under load. Ends with 1 if anything
 * acknowledged is lost or doubled, or if a client saw anything but success and `503` with `Retry-After`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(FAULTS.length) },
    through: { type: 'string', default: 'haproxy' },
    asynchronous: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
process.once('SIGINT', () => void cleanUpAll().finally(() => process.exit(130)));
try {
  const report = await failOver(
    Number(values.rounds),
    values.through === 'hosts' ? 'hosts' : 'haproxy',
    values.asynchronous,
  );
  process.stdout.write(reportText(report));
  if (values.record) await recordReport(report);
  if (!report.isClean) process.exitCode = 1;
} finally {
  await cleanUpAll();
}
