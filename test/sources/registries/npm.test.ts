import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test('npm asks for the full document, because the abbreviated document has no release times', async () => {
  const { upstream } = await askRegistry(
    { datasource: 'npm', packageName: '@example/agent' },
    { '/@example%2fagent': json({ versions: { '1.0.0': {} } }) },
  );

  expect(upstream.requests[0]?.headers.accept).toBe('application/json');
});
