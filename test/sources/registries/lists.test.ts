import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test.each([
  ['garbage', 'cannot be read as header Link'],
  // The parser of Link headers takes quadratic time for these spaces.
  [`<https://x/>; a${' '.repeat(60_000)}b="c"`, 'has a header Link of more than 8,192 characters'],
  ['<https://x/>;rel=x,'.repeat(3000), 'has a header Link of more than 8,192 characters'],
])(
  'rejects a list whose Link header cannot be read, because it may have more pages (%#)',
  async (link, message) => {
    const asked = askRegistry(
      { datasource: 'github-tags', packageName: 'example/agent' },
      { '/repos/example/agent/tags?per_page=100': json([], { link }) },
    );

    await expect(asked).rejects.toThrow(message);
  },
);
