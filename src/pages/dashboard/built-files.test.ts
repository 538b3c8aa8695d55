import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtFiles } from './built-files.ts';
import { dashboardLanguage } from './language.ts';

test('a folder that is built later is found, and no name leads out of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-dashboard-'));
  try {
    const files = builtFiles(folder);
    expect([files.page('en'), files.find('assets/a.js')]).toEqual([undefined, undefined]);
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'assets/a.js'), 'let a');
    await writeFile(join(folder, 'index.html'), '<p>page');
    expect(files.page('en')).toBe('<p>page');
    const file = files.find('assets/a.js')!;
    expect(file.type).toContain('text/javascript');
    expect((await file.bytes(undefined)).toString()).toBe('let a');
    expect(gunzipSync(await file.bytes('gzip')).toString()).toBe('let a');
    expect(brotliDecompressSync(await file.bytes('br')).toString()).toBe('let a');
    for (const path of ['assets/../index.html', 'assets/', 'assets/b.js', 'stamp.txt']) {
      expect(files.find(path)).toBeUndefined();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the page comes in the language its reader chose, else in the one the browser likes, with the sentences first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-dashboard-'));
  try {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'assets/words-ar-x-1.js'), 'let words');
    await writeFile(join(folder, 'index.html'), '<html lang="en" dir="ltr"><script src="app.js">');
    const files = builtFiles(folder);
    expect(files.page('en')).toBe('<html lang="en" dir="ltr"><script src="app.js">');
    expect(files.page('ar')!.replace(/\s+/g, ' ')).toBe(
      '<html lang="ar" dir="rtl"><script type="module" crossorigin src="/dashboard/assets/words-ar-x-1.js"></script> <script src="app.js">',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  const likes = { 'accept-language': 'fr-CH, de;q=0.8' };
  expect(dashboardLanguage({})).toBe('en');
  expect(dashboardLanguage(likes)).toBe('fr');
  expect(dashboardLanguage({ ...likes, cookie: 'a=b; florin_language=es' })).toBe('es');
  expect(dashboardLanguage({ ...likes, cookie: 'florin_language=xx; not_florin_language=de' })).toBe('fr');
});
