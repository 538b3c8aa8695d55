export interface FileTiming {
  file: string;
  ms: number;
  tests: { name: string; ms: number }[];
}

const COUNT = 10;

/** The slowest files and tests of a run, as text. */
export function describeSlowest(timings: readonly FileTiming[]): string {
  const tests = timings.flatMap(({ file, tests }) =>
    tests.map(({ name, ms }) => ({ ms, text: `${file} > ${name}` })),
  );
  const files = timings.map(({ file, ms, tests }) => ({ ms, text: `${file} (${tests.length} tests)` }));
  const totalMs = timings.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `${timings.length} files, ${tests.length} tests, ${seconds(totalMs)} in all workers together`,
    '',
    `Slowest files, imports and hooks included:`,
    ...linesOf(files),
    '',
    `Slowest tests:`,
    ...linesOf(tests),
    '',
  ].join('\n');
}

function linesOf(timed: readonly { ms: number; text: string }[]): string[] {
  return timed
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, COUNT)
    .map(({ ms, text }) => `  ${seconds(ms).padStart(8)}  ${text}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
