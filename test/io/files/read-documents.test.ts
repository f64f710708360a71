import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { InputError } from '../../../src/core/schemas/finding.ts';
import { parseDocument, unwrapNamed } from '../../../src/io/files/read-documents.ts';

test.each([
  ['list.json', resolve('list.json')],
  ['-', '-'],
])('a problem in %s, which the command line names, is in the file %s', (name, file) => {
  const result = parseDocument(Buffer.from('{'), name, z.unknown());

  try {
    unwrapNamed(result);
    expect.unreachable();
  } catch (error) {
    expect((error as InputError).findings).toMatchObject([{ subject: name, file }]);
  }
});
