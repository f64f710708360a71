import { expect, onTestFinished, test } from 'vitest';
import { bugsOf } from '../../../src/cli/commands/gather.ts';
import { defaultBudgets } from '../../../src/record/gather/ask.ts';
import { askSources, uniteAnswers } from '../../../src/record/gather/gather-component.ts';
import { Definition } from '../../../src/record/definition.ts';
import { testHttp, today } from '../../harness/gathering.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition } from '../../harness/root.ts';

test('an unexpected error fails only its source, is reported as a bug, and loses nothing', async () => {
  const registry = await npmRegistry({ sound: { '1.0.0': {} } });
  const http = testHttp();
  onTestFinished(() => http.close());
  const sources = ['broken', 'sound'].map((packageName) => ({ datasource: 'npm', packageName }));
  const input = {
    component: 'svc',
    definition: Definition.parse(definition({ sources })),
    releases: [{ version: '0.9', source: 'npm:broken' }],
    freshness: { sources: {} },
  };

  const answers = await askSources(input, {
    ...{ http, day: today, budgets: defaultBudgets, runEnd: performance.now() + 60_000 },
    npmRegistry(packageName) {
      if (packageName === 'broken') throw new TypeError('Cannot read properties of undefined');
      return registry.url;
    },
    trustedRoot: () => Promise.reject(new Error('no attestation is expected')),
  });
  const result = uniteAnswers(input, answers, today);

  expect(bugsOf([result])).toEqual([
    {
      level: 'error',
      subject: 'svc (npm:broken)',
      message:
        'unexpected error "Cannot read properties of undefined" (please report it). Kept the recorded release.',
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
