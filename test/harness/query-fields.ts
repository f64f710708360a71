import type { Field } from '../../src/ask/query/parse.ts';
import { releaseFields } from '../../src/ask/query/release-fields.ts';

/** All fields of releases, and one more field for each of the two field types that releases do not use. */
export const fields: readonly Field[] = [
  ...releaseFields,
  { name: 'size', type: 'Storage size' },
  { name: 'label', type: 'Key-value' },
];
