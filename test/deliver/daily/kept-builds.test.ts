import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeGathered } from '../../../src/deliver/daily/take-gathered.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { definition, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';

const one = `sha256:${'1'.repeat(64)}`;
const data = (artifacts: Readonly<Record<string, string>>): RecordedData => ({
  releases: [{ version: '1.0', source: 'npm:a', firstSeen: '2026-01-01', digests: { 'npm:a': artifacts } }],
});

test('what another run has gathered is rejected where it lacks or changes the build of a release', () => {
  const builtIn = (repository: string) => {
    const builder = `${repository}/.github/workflows/release.yml@refs/heads/main`;
    const provenance = {
      source: 'npm:a',
      builder,
      repository,
      predicateType: 'https://slsa.dev/provenance/v1',
    };
    return { releases: data({ file: one }).releases.map((release) => ({ ...release, provenance })) };
  };
  const before = builtIn('https://github.com/example/agent');
  for (const gathered of [data({ file: one }), builtIn('https://github.com/fork/agent')]) {
    const root = makeRoot({ 'components/svc.json': definition(), 'data/svc.json': before });
    writeIn(root, 'gathered/svc.json', gathered);

    const findings = takeGathered(openRoot(root, checkout), join(root, 'gathered'), '2026-06-01');

    expect(readJsonIn(root, 'data/svc.json')).toEqual(before);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('lacks or changes settled values of 1.0'),
    ]);
  }
});
