import type * as z from 'zod';
import { namedSchemas } from '../../core/schemas/published/document-schemas.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import { publishedPaths } from '../../site/render/paths.ts';

/** The schema of a published document. The lenient form accepts documents of newer programs. */
interface DocumentSchemas {
  strict: z.ZodType;
  lenient: z.ZodType;
}

const documents = publishedPaths.map(({ path, schema }) => {
  return { path, schemas: schema && createSchemas(namedSchemas[schema].schema) };
});

function createSchemas(strict: z.ZodType): DocumentSchemas {
  return { strict, lenient: createLenient(strict) };
}

/** The schemas of the document at a path; undefined for a document without a schema, and for an unknown path. */
export function findSchemas(path: string): DocumentSchemas | undefined {
  // `openapi.json` also has the form of `{component}.json`, so exact paths come first.
  const document =
    documents.find((each) => each.path === path) ??
    documents.find((each) => hasForm(path, each.path));
  return document?.schemas;
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
