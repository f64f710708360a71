import { expect, it } from 'vitest';
import { ask, json } from '../../harness/asking.ts';

it('docker finds official images in their own namespace on Docker Hub', async () => {
  const path = '/v2/repositories/library/alpine/tags?page_size=100';
  const { releases } = await ask(() => ({ datasource: 'docker', packageName: 'alpine' }), {
    routes: (url) => ({ 'https://hub.docker.com/': url }),
    documents: { [path]: json({ results: [{ name: '3.20' }] }) },
  });

  expect(releases).toEqual([{ version: '3.20' }]);
});
