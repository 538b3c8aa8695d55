import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const here = import.meta.dirname;

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
  },
} satisfies UserConfig;
