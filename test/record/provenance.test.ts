/** Checks that every endpoint reports a release that lost its provenance. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { openTools } from '../harness/mcp-client.ts';
import { openOperatedIndex } from '../harness/operated-index.ts';

const signatures = [{ keyid: 'SHA256:a', sig: 'b' }];
const provenance = { predicateType: 'https://slsa.dev/provenance/v1' };

/** Returns the answer of an npm registry. A version with `!` has no provenance. All other versions have provenance. */
function answerNpm(versions: string) {
  const entries = versions.split(' ').map((text) => {
    const attestations = text.startsWith('!') ? undefined : { provenance };
    return [text.replace('!', ''), { dist: { signatures, attestations } }];
  });
  return {
    type: 'application/json',
    body: JSON.stringify({ versions: Object.fromEntries(entries) }),
  };
}

test('every endpoint reports a release that lacks provenance if an earlier release has provenance', async () => {
  const index = await openOperatedIndex();
  index.define('svc', [], {
    sources: [{ datasource: 'npm', packageName: 'svc', registryUrl: `${index.url}/` }],
  });
  const record = async (day: string, versions: string) => {
    index.answers.set('svc', answerNpm(versions));
    expect(await index.record(day)).toMatchObject({ status: 0 });
    return index.data
      .readJournal('svc')
      .flatMap(({ type, version, from }) =>
        type === 'unproven' ? `${version} after ${from}` : [],
      );
  };
  // A release without provenance in the first list is not reported.
  const history = '1.0.0 !1.0.1 1.1.0';
  expect(await record('2026-11-17', history)).toEqual([]);
  expect(await record('2026-11-18', `${history} 1.1.1`)).toEqual([]);
  const unproven = ['1.1.2 after 1.1.1', '2.0.0 after 1.1.1'];
  expect(await record('2026-11-19', `${history} 1.1.1 !1.1.2 !2.0.0`)).toEqual(unproven);
  const later = `${history} 1.1.1 !1.1.2 !2.0.0 !2.0.1`;
  expect(await record('2026-11-20', later)).toEqual([...unproven, '2.0.1 after 1.1.1']);

  expect(await index.run('build', '2026-11-20')).toMatchObject({ status: 0 });
  const sentence = 'Published without provenance, unlike 1.1.1.';
  const read = (file: string) => index.read(`dist/${file}`);
  const { releases, latest } = JSON.parse(read('details/svc.json'));
  expect(releases.map((each: any) => [each.version, each.hasProvenance, each.lastProven])).toEqual([
    ['1.0.0', true, undefined],
    ['1.0.1', false, undefined],
    ['1.1.0', true, undefined],
    ['1.1.1', true, undefined],
    ['1.1.2', false, '1.1.1'],
    ['2.0.0', false, '1.1.1'],
    ['2.0.1', false, '1.1.1'],
  ]);
  // A release without provenance is published, and is not deprecated. A reader has to decide whether to use it.
  expect([latest, releases.at(-2).isDeprecated]).toEqual(['2.0.1', false]);
  for (const file of ['changes.json', 'feeds/svc.atom', 'svc.html']) {
    expect(read(file)).toContain('2.0.0 was published without provenance, unlike 1.1.1.');
  }
  // The sentence is at each of the three releases after 1.1.1. It is also at the top of the page, for the latest release.
  expect(read('svc.html').match(/Published without provenance/g)).toHaveLength(4);
  expect(read('renovate.json')).toContain(
    'The proposed version was published without provenance, unlike 1.1.1.',
  );
  expect((await index.run('explain svc 2.0.0', '2026-11-20')).stdout).toContain(sentence);
  index.write('list.txt', 'svc 2.0.0');
  const list = join(index.root, 'list.txt');
  const scanned = await index.run(`scan ${list} --policy stable`, '2026-11-20');
  expect(scanned.stdout).toContain(`svc 2.0.0: ${sentence}`);
  const found = await index.run('search hasProvenance:false', '2026-11-20');
  expect(found.stdout.match(/^svc +\S+/gm)).toHaveLength(4);
  const client = await openTools(openIndex(openSite(join(index.root, 'dist'))));
  expect((await client.callTool('check_versions', { text: 'svc 2.0.0' })).text).toContain(sentence);
});
