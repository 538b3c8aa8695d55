import type { ApiDocument } from '../../../site/reference/document.ts';
import { lazy } from '../../platform/lib/lazy.ts';
import type { DocsFinding } from './call-service.ts';

export interface DocsSearchParts {
  document(): object;
  publicUrl(): string;
}

/** Searches the documentation as its own page does. Pages are read with the first search. */
export function docsSearch({ document, publicUrl }: DocsSearchParts) {
  const manual = lazy(async () => {
    const { writeManual } = await import('../../../site/docs/write-manual.ts');
    return writeManual(document() as ApiDocument, false);
  });
  return async (query: string, limit: number): Promise<DocsFinding[]> => {
    const found = (await manual()).find(query, limit);
    return found.map(({ entry: { page, heading, url, text } }) => ({
      title: heading === page ? page : `${page}: ${heading}`,
      url: `${publicUrl()}/docs/${url}`,
      text,
    }));
  };
}
