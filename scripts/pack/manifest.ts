interface Manifest {
  version: string;
  exports: Record<string, string | object>;
  bin?: Record<string, string>;
  [field: string]: unknown;
}

/**
 * A workspace's package.json as it is published. Inside the checkout Node runs the sources as they are; it does not inside
 * of node_modules, so what names a source file here names what was compiled from it there.
 */
export function publishedManifest(text: string): Manifest {
  const { private: _, scripts: __, ...manifest }: Manifest = JSON.parse(text);
  const exports = Object.entries(manifest.exports).map(([name, target]) => [name, compiledExport(target)]);
  const bin = Object.entries(manifest.bin ?? {}).map(([name, file]) => [name, compiled(file, '.js')]);
  return {
    ...manifest,
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
    exports: Object.fromEntries(exports),
  } as Manifest;
}

function compiledExport(target: string | object): string | object {
  if (typeof target !== 'string' || !target.endsWith('.ts')) return target;
  return { types: compiled(target, '.d.ts'), default: compiled(target, '.js') };
}

function compiled(source: string, ending: '.js' | '.d.ts'): string {
  return source.replace(/^(\.\/)?src\//, '$1dist/').replace(/\.ts$/, ending);
}
