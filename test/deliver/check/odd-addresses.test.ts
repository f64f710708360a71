import { expect, test } from 'vitest';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { runCli } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

test('a valid address of any kind is published as it is written, and the site holds to every rule', async () => {
  const homepage = "https://bücher.example:8443/what's[new](1)?a=b&c=d;e|f^g`h~!$*+@:,";
  const changelogUrl = 'https://[2001:db8::1]/changes#top';
  const root = makeRoot({
    'components/svc.json': definition({ homepage, changelogUrl }),
    'data/svc.json': { releases: [{ version: '1.0', releaseTimestamp: '2026-01-31' }] },
  });

  const built = await runCli(['build', '--root', root]);
  const checked = await runCli(['check', '--root', root]);

  expect([built.stderr, checked.stderr]).toEqual(['', '']);
  expect(readJsonIn<ReleaseFile>(root, 'dist/svc.json')).toMatchObject({ homepage, changelogUrl });
});
