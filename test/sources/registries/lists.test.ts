import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test('a list whose header Link cannot be read fails: it would look whole', async () => {
  const asked = askRegistry(
    { datasource: 'github-tags', packageName: 'example/agent' },
    { '/repos/example/agent/tags?per_page=100': json([], { link: 'garbage' }) },
  );

  await expect(asked).rejects.toThrow('cannot be read as header Link');
});
