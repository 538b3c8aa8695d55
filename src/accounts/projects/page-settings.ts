import type { Queryable } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { ProjectSettings } from './project.ts';
import { findProject } from './queries.ts';

const SITE = 'such as https://shop.example.com';
const LOCAL = new Set(['localhost', '127.0.0.1']);

/** Refuses anything but plain origins: what is stored goes into a security header as it is. */
export function requireOrigins(field: string, origins: readonly string[]): void {
  origins.forEach((origin, index) => {
    const problem = problemOfOrigin(origin);
    if (problem) throw badField(`${field}.${index}`, problem);
  });
}

function problemOfOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) return `must be a site with https:// before it, ${SITE}`;
  if (url.username || url.password) return 'must not contain a user name or password';
  if (!/^[a-z0-9.-]+$/.test(url.hostname)) return `must name one site, without wildcards, ${SITE}`;
  if (url.protocol === 'http:' && !LOCAL.has(url.hostname)) return `must use https, ${SITE}`;
  return url.origin === text ? undefined : `must be the site alone, without a path: ${url.origin}`;
}

/** A link for buyers to follow. */
export function requireTermsUrl(field: string, text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.has(url.hostname));
  if (!url || !isSecure || url.username || url.password)
    throw badField(field, 'must be an address such as https://shop.example.com/terms');
}

/** Settings of a project that concern its pages. */
export async function readPageSettings(
  db: Queryable,
  project: Ref,
): Promise<Pick<ProjectSettings, 'embedOrigins' | 'supportEmail' | 'termsUrl'>> {
  return (await findProject(db, project))!.settings;
}
