import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { text } from '../../harness/upstream.ts';

test("helm says that a repository's index does not have the chart", async () => {
  const asked = askRegistry(
    { datasource: 'helm', packageName: 'agent' },
    { '/index.yaml': text('entries: {agents: []}') },
  );

  await expect(asked).rejects.toThrow('has no chart "agent"');
});
