import { expect, test } from 'vitest';
import { createPurlEntry } from '../../../src/ask/texts/purl-entries.ts';

const digest = `sha256:${'0f'.repeat(32)}`;

test.each([
  ['pkg:github/example/kit@kit%401.2.0', ['kit@1.2.0']],
  [`pkg:docker/example/agent@4.5@${digest}`, [digest, '4.5']],
  [`pkg:oci/agent@${digest}?tag=4.5`, [digest, '4.5']],
])('only a digest is apart from the version of a package URL: %s', (text, versions) => {
  expect(createPurlEntry(text)?.map(({ version }) => version)).toEqual(versions);
});
