import type { ServerManifest } from './server-manifest.ts';

interface Locked {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

export interface Lock {
  packages: Record<string, Locked>;
}

/** The part of the lock file that the installed server needs, by the places of node_modules. */
export function lockedPackages(lock: Lock, manifest: ServerManifest): Map<string, Locked> {
  const kept = new Map<string, Locked>();
  const keep = (name: string, from: string, isOptional = false) => {
    const place = placeOf(lock, name, from);
    if (place === undefined && isOptional) return;
    if (place === undefined) throw new Error(`package-lock.json has no ${name} for ${from || 'the server'}`);
    if (kept.has(place)) return;
    const { dev: _, devOptional, ...locked } = lock.packages[place]!;
    kept.set(place, devOptional ? { ...locked, optional: true } : locked);
    keepAll(locked, place);
  };
  const keepAll = (of: Locked, from: string) => {
    for (const name of Object.keys(of.dependencies ?? {})) keep(name, from);
    for (const name of Object.keys(of.optionalDependencies ?? {})) keep(name, from, true);
    for (const name of Object.keys(of.peerDependencies ?? {}))
      if (!of.peerDependenciesMeta?.[name]?.optional) keep(name, from);
  };
  keepAll(manifest, '');
  return new Map([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The path at which Node finds a package from a place: in the nearest node_modules above it. */
function placeOf(lock: Lock, name: string, from: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const place = `${above}${above && '/'}node_modules/${name}`;
    if (place in lock.packages) return place;
    if (above === '') return undefined;
  }
}
