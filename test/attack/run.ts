import { runAttacks } from './attacks.ts';
import { startTarget } from './target.ts';

/** `npm run attack`: a service of its own on this machine is attacked from outside. Ends with 1 when an attack succeeds. */
const cleaners: (() => Promise<unknown>)[] = [];
const clean = async () => {
  while (cleaners.length > 0) await cleaners.pop()!();
};
try {
  const target = await startTarget((one) => cleaners.push(one));
  const results = await runAttacks(target, ({ name, tries, outcome, ok }) =>
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(44)} ${tries.padEnd(80)} ${outcome}\n`),
  );
  const succeeded = results.filter(({ ok }) => !ok);
  process.stdout.write(`\n${results.length} attacks, ${succeeded.length} succeeded\n`);
  if (succeeded.length > 0) process.exitCode = 1;
} finally {
  await clean();
}
