import * as z from 'zod';
import type { Operation } from './route.ts';

/** The published files that programs read, with the names of their schemas. */
const files = {
  '/{component}.json': 'component',
  '/index.json': 'index',
  '/all.json': 'all',
  '/details/{component}.json': 'details',
  '/supported/{component}.json': 'supported',
  '/status.json': 'status',
  '/changes/{year}.json': 'changes',
  '/builds/{year}.json': 'builds',
  '/policies.json': 'policies',
} as const;

export type FileSchemas = Readonly<Record<(typeof files)[keyof typeof files], z.ZodType>>;

export function listFileOperations(schemas: FileSchemas): Operation[] {
  return Object.entries(files).map(([path, schema]): Operation => {
    const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
    return {
      method: 'get',
      path,
      operationId: `read${path.replaceAll(/\W+/g, '-')}`,
      summary: 'A published file.',
      request: { params: parameter === undefined ? {} : { [parameter]: z.string() } },
      returns: { 'application/json': schemas[schema] },
    };
  });
}
