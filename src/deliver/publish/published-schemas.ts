import type * as z from 'zod';
import { namedSchemas } from '../../core/schemas/published/document-schemas.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import { publishedPaths } from '../../site/render/paths.ts';

/** The schemas of the documents at a published path, if they have any. The lenient one accepts documents of newer programs. */
interface DocumentSchemas {
  path: string;
  strict: z.ZodType | undefined;
  lenient: z.ZodType | undefined;
}

const documentSchemas: readonly DocumentSchemas[] = publishedPaths.map(({ path, schema: name }) => {
  const strict = name && namedSchemas[name].schema;
  return { path, strict, lenient: strict && createLenient(strict) };
});

/** The schemas of the document at this path; undefined if no site has such a path. */
export function findSchemas(path: string): DocumentSchemas | undefined {
  // A part has the form of the whole document.
  const wholePath = path.replace(/^(all|search)\/\d+\.json$/, '$1.json');
  return (
    documentSchemas.find((document) => document.path === wholePath) ??
    // `openapi.json` also has the form of `{component}.json`, so this comes second.
    documentSchemas.find((document) => hasForm(wholePath, document.path))
  );
}

/** Whether a path has a form such as `details/{component}.json`. */
function hasForm(path: string, form: string): boolean {
  const [start = '', end] = form.split(/\{\w+\}/);
  if (end === undefined) {
    return false;
  }

  const name = path.slice(start.length, path.length - end.length);
  return path === start + name + end && /^[a-z0-9-]+$/.test(name);
}
