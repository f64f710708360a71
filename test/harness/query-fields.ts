import type { Field } from '../../src/ask/query/parse.ts';
import { releaseFields } from '../../src/ask/query/release-fields.ts';

/** All fields of releases, and a field for each of the two types that no field of a release has. */
export const fields: readonly Field[] = [
  ...releaseFields,
  { name: 'size', type: 'Storage size' },
  { name: 'label', type: 'Key-value' },
];
