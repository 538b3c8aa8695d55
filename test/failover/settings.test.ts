import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HAPROXY_SETTINGS, PATRONI_SETTINGS } from './settings.ts';

const guide = readFileSync(new URL('../../docs/failover.md', import.meta.url), 'utf8');

/** Writes settings as the guide does: texts in quotes, or YAML would read `on` as true. */
function yamlOf(settings: object, indent = ''): string {
  return Object.entries(settings)
    .map(([name, value]) =>
      typeof value === 'object'
        ? `${indent}${name}:\n${yamlOf(value, `${indent}  `)}`
        : `${indent}${name}: ${typeof value === 'string' ? `'${value}'` : value}\n`,
    )
    .join('');
}

test('docs/failover.md shows the settings that npm run failover runs with', () => {
  expect(guide).toContain(`\`\`\`yaml\n${yamlOf(PATRONI_SETTINGS)}\`\`\``);
  expect(guide).toContain(`\`\`\`\n${HAPROXY_SETTINGS}\`\`\``);
});
