import type { Queryable } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { ProjectRef, ProjectSettings } from './project.ts';
import { findProject } from './queries.ts';

const LOCAL = new Set(['localhost', '127.0.0.1']);

/** Refuses anything but plain origins: what is stored goes into a security header as it is. */
export function requireOrigins(field: string, origins: readonly string[]): void {
  origins.forEach((origin, index) => {
    if (!isOrigin(origin))
      throw badField(`${field}.${index}`, 'must be a site such as https://shop.example.com, without a path');
  });
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== text || !/^[a-z0-9.-]+$/.test(url.hostname)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
}

/** A link for buyers to follow. */
export function requireTermsUrl(field: string, text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.has(url.hostname));
  if (!url || !isSecure || url.username || url.password)
    throw badField(field, 'must be an address such as https://shop.example.com/terms');
}

/** What a project says about its pages. */
export async function readPageSettings(
  db: Queryable,
  project: ProjectRef,
): Promise<Pick<ProjectSettings, 'embedOrigins' | 'supportEmail' | 'termsUrl'>> {
  return (await findProject(db, project))!.settings;
}
