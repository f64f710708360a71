/** Reads the scan policies of an index: the built-in policies, and the policies in `site/policies/`. */
import { join } from 'node:path';
import * as z from 'zod';
import { parseQuery, QueryError } from '../ask/query/parse.ts';
import { releaseFields } from '../ask/query/release-fields.ts';
import { inputError, readEach, requireAll } from '../core/errors.ts';
import { readJsonFile } from '../core/files.ts';
import { parseDocument } from '../core/parse-document.ts';
import { listNames } from '../core/index-files.ts';
import type { ScanPolicy } from '../core/schema/documents.ts';
import { NamedPolicy } from '../core/schema/written.ts';

/** Reads the built-in policies of this program, and the policies of the index. */
export function readPolicies(root: string, program: string): ScanPolicy[] {
  const builtIn = parseDocument(
    z.record(z.string(), NamedPolicy),
    readJsonFile(join(program, 'site/built-in-policies.json')),
    'built-in-policies.json',
  );
  const own = readEach(listNames(join(root, 'site/policies')), (name) => {
    const file = `site/policies/${name}.json`;
    if (Object.hasOwn(builtIn, name)) {
      throw inputError(
        file,
        `the program has a policy "${name}". Choose another name for the file`,
      );
    }
    return { name, isBuiltIn: false, ...readPolicy(root, file) };
  });
  return [
    ...Object.entries(builtIn).map(([name, policy]) => ({ name, isBuiltIn: true, ...policy })),
    ...requireAll(own),
  ];
}

function readPolicy(root: string, file: string): NamedPolicy {
  const document = readJsonFile(join(root, file), file);
  const { $schema: _, ...policy } = parseDocument(NamedPolicy, document, file);
  try {
    parseQuery(policy.query, releaseFields, 0);
  } catch (error) {
    throw error instanceof QueryError ? inputError(file, `query: ${error.message}`) : error;
  }

  return policy;
}
