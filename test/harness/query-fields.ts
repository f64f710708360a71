import type { Field } from '../../src/ask/query/parse.ts';
import { releaseFields } from '../../src/ask/query/release-fields.ts';

/** Those of releases, and one of each type that no release has. */
export const fields: readonly Field[] = [
  ...releaseFields,
  { name: 'size', type: 'Storage size' },
  { name: 'label', type: 'Key-value' },
];
