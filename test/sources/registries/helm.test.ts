import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { text } from '../../harness/upstream.ts';

test('helm reports a chart that is missing from the index of the repository', async () => {
  const asked = askRegistry(
    { datasource: 'helm', packageName: 'agent' },
    { '/index.yaml': text('entries: {agents: []}') },
  );

  await expect(asked).rejects.toThrow('has no chart "agent"');
});
