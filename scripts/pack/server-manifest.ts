import { type Lock, lockedPackages } from './locked-packages.ts';

export interface ServerManifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  [field: string]: unknown;
}

/** The sandbox's chain lies inside of the package. Only packing the client takes the compiler, and a release carries it packed. */
const NOT_INSTALLED = ['@florin/sandbox-chain', 'typescript'];

/**
 * The package.json of the installed server, and its npm-shrinkwrap.json. `npm ci` in the unpacked folder goes by the second,
 * with its hashes. `npm install` of the file does not read it: for that the first names the version of every dependency,
 * also of those that only others need.
 */
export function serverManifest(
  root: ServerManifest,
  chain: Pick<ServerManifest, 'dependencies'>,
  lock: Lock,
): { manifest: ServerManifest; shrinkwrap: object } {
  const { name, version, description, license, type, bin, optionalDependencies } = root;
  const dependencies = Object.fromEntries(
    Object.entries({ ...chain.dependencies, ...root.dependencies }).filter(
      ([name]) => !NOT_INSTALLED.includes(name),
    ),
  );
  // Older than the 24 it runs on: bin/florin.js then hands over to the Node that comes as an optional dependency.
  const engines = { node: '>=20' };
  const direct = {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies,
    optionalDependencies,
  };
  const locked = lockedPackages(lock, direct);
  const required = [...locked].flatMap(([place, { version, optional }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    return name && !optional ? [[name, version!]] : [];
  });
  const manifest = { ...direct, dependencies: Object.fromEntries(required) };
  return {
    manifest,
    shrinkwrap: {
      ...{ name, version, lockfileVersion: 3, requires: true },
      packages: { '': manifest, ...Object.fromEntries(locked) },
    },
  };
}
