import { afterAll, afterEach } from 'vitest';
import { checkAfterTest, cleanUpAll } from './clean-up.ts';

// Loaded again for every test file. The files of one worker share all other modules, which are read only once: a hook that
// such a module asked for itself would be there for the first file alone.
afterEach(checkAfterTest);
afterAll(cleanUpAll);
