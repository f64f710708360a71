import { expect, test } from 'vitest';
import { definition, makeRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

const released = (version: string) => ({
  releases: [{ version, releaseTimestamp: '2026-01-01', firstSeen: '2026-01-02' }],
});

/** Nobody can read the data of `broken`. */
const root = makeRoot({
  'components/svc.json': definition({ title: 'Server' }),
  'components/broken.json': definition({ title: 'Broken' }),
  'data/svc.json': released('1.0'),
  'data/broken.json': { releases: 'none' },
});

const ask = (...args: string[]) => run([...args, '--root', root, '--as-of', '2026-06-01']);

test.each([
  ['explain', 'svc', '1.0'],
  ['explain', 'server 1.0'],
  ['scan', 'svc@1.0'],
  ['search', 'component:svc'],
])('%s %s reads the data of only the components that it needs', async (...args) => {
  const { stdout, stderr } = await ask(...args);

  expect(stdout).toMatch(/(?:svc|Server)\b.*\b1\.0/);
  expect(stderr).not.toContain('broken');
});

test.each([
  ['explain', 'broken'],
  ['scan', 'broken@1.0'],
  ['search', 'version:1.0'],
])('%s %s rejects data that it needs and cannot read', async (...args) => {
  const { status, stderr } = await ask(...args);

  expect(status).not.toBe(0);
  expect(stderr).toContain('data/broken.json');
});
