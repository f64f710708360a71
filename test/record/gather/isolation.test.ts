import { expect, onTestFinished, test } from 'vitest';
import { listBugs } from '../../../src/run/gather-step.ts';
import { gather, testHttp } from '../../harness/gathering.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';

test('an unexpected error fails only its source, is reported as a bug, and loses nothing', async () => {
  const registry = await npmRegistry({ sound: { '1.0.0': {} } });
  const http = testHttp();
  onTestFinished(() => http.close());
  const sources = ['broken', 'sound'].map((packageName) => ({ datasource: 'npm', packageName }));
  const releases = [{ version: '0.9', source: 'npm:broken' }];
  const addressOf = (packageName: string) => {
    if (packageName === 'broken') {
      throw new TypeError('Cannot read properties of undefined');
    }
    return registry.url;
  };

  const result = await gather(
    { component: 'svc', definition: { sources }, releases, npmRegistry: addressOf },
    http,
  );

  expect(listBugs([result])).toEqual([
    {
      level: 'error',
      subject: 'svc (npm:broken)',
      message:
        'unexpected error "Cannot read properties of undefined" (please report it). Recorded data stays.',
      file: 'components/svc.json',
      stack: expect.stringMatching(/^TypeError: Cannot read[^]*isolation\.test\.ts/),
    },
  ]);
  expect(result.sources).toMatchObject([
    { id: 'npm:broken', kind: 'failed' },
    { id: 'npm:sound', kind: 'answered' },
  ]);
  expect(result.releases.map(({ version }) => version)).toEqual(['0.9', '1.0.0']);
});
