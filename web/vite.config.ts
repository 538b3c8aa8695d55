import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const here = import.meta.dirname;

/** The sentences of each language but English: a script of its own, which the page loads before the others. */
function wordLists(): Record<string, string> {
  return Object.fromEntries(
    ['de', 'es', 'fr', 'ar'].map((name) => [`words-${name}`, join(here, `src/words/${name}.ts`)]),
  );
}

/** The home screen with everything it imports, as one script: packed one by one, its forty parts are a tenth larger. */
const FIRST_VIEW = {
  name: 'first-view',
  test: /\/src\/(main|home\/home-screen)\.tsx$/,
};

export default {
  root: here,
  base: '/dashboard/',
  plugins: [react()],
  resolve: { alias: { '@florin/sdk': join(here, '../sdk/src/florin.ts') } },
  build: {
    target: 'es2022',
    // Browsers that need it would not run the rest either, and it is a script of its own.
    modulePreload: { polyfill: false },
    // A file inlined as data: would need a looser policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    manifest: true,
    rolldownOptions: {
      input: { index: join(here, 'index.html'), ...wordLists() },
      output: { codeSplitting: { groups: [FIRST_VIEW] } },
    },
  },
} satisfies UserConfig;
