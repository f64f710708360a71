import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test('rejects a list whose Link header cannot be read, because it may have more pages', async () => {
  const asked = askRegistry(
    { datasource: 'github-tags', packageName: 'example/agent' },
    { '/repos/example/agent/tags?per_page=100': json([], { link: 'garbage' }) },
  );

  await expect(asked).rejects.toThrow('cannot be read as header Link');
});
