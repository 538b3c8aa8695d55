const atTheEnd: (() => Promise<unknown>)[] = [];
const afterTests: (() => Promise<unknown>)[] = [];

/** Runs `clean` when the test file is done, the latest first. */
export function cleanUp(clean: () => Promise<unknown>): void {
  atTheEnd.push(clean);
}

/** Runs `check` after every test, of whatever file, from now on. */
export function afterEveryTest(check: () => Promise<unknown>): void {
  afterTests.push(check);
}

/** All of it, also where some of it fails: the next file is to find nothing of this one. */
export async function cleanUpAll(): Promise<void> {
  const failures: unknown[] = [];
  while (atTheEnd.length > 0) {
    const clean = atTheEnd.pop()!;
    await clean().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

export async function checkAfterTest(): Promise<void> {
  for (const check of afterTests) await check();
}
