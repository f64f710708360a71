import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { ask as askIndex } from '../../src/ask/answers/ask.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import { connect } from '../harness/mcp-clients.ts';
import { addComponent, readJsonIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { openSignedSite, type SignedTestSite } from '../harness/signed-site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { covers } from '../harness/covers.ts';

const day = '2026-04-01';
const runUrl = 'https://github.com/example/agent/actions/runs/17/attempts/1';
const commit = '1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d';
const sentence = 'Built by GitHub Actions in example/agent at 1a2b3c4, 2026-03-03.';

const provenance = {
  source: 'npm:@example/agent',
  builder: 'https://github.com/example/agent/.github/workflows/release.yml@refs/tags/v1.1',
  run: runUrl,
  repository: 'https://github.com/example/agent',
  commit,
  startedOn: '2026-03-03T10:00:00Z',
  finishedOn: '2026-03-03T10:04:30Z',
  predicateType: 'https://slsa.dev/provenance/v1',
};
const without = { version: '1.0', releaseTimestamp: '2026-02-01' };
const built = { version: '1.1', releaseTimestamp: '2026-03-03', provenance };

let signed: SignedTestSite;
let out: string;
let site: ServedSite;

beforeAll(async () => {
  signed = openSignedSite();
  const sourceRepository = 'https://github.com/Example/agent.git';
  addComponent(signed.root, 'agent', [without, built], { sourceRepository });
  addComponent(signed.root, 'fork', [built], {
    homepage: 'https://github.com/example/fork/tree/main/docs',
  });
  addComponent(signed.root, 'orphan', [built]);
  out = await signed.make(day);
  site = await serveSite(out);
});

afterAll(() => site.close());

const ask = async (path: string, init?: RequestInit) =>
  (await fetch(new URL(path, site.url), init)).text();
const command = async (verb: string, ...args: string[]) =>
  (await run([verb, '--root', signed.root.dir, '--as-of', day, ...args])).stdout;
const call = async (name: string, given: Record<string, unknown>) => {
  const client = await connect({ url: `${site.url}mcp` }, 'auto');
  try {
    return JSON.stringify(await client.callTool(name, given));
  } finally {
    await client.close();
  }
};

type Door = readonly [name: string, ask: (version: string) => Promise<string> | string];

/** Every interface that answers with text. */
const inWords: readonly Door[] = [
  ['details/', (version) => JSON.stringify(detailsOf('agent', version))],
  ['explain', (version) => command('explain', 'agent', version)],
  ['a release of the API', (version) => ask(`api/components/agent/releases/${version}`)],
  ['check_versions', (version) => call('check_versions', { text: `agent ${version}` })],
];

function detailsOf(component: string, version: string) {
  const { releases } = readJsonIn<{
    releases: { version: string; provenance?: { text: string } }[];
  }>(out, `details/${component}.json`);
  return releases.find((release) => release.version === version)!;
}

test.each(inWords)(
  'the build of a release is in the text of %s, only if recorded',
  async (_name, answer) => {
    const said = await answer('1.1');

    expect(said).toContain(sentence);
    expect(said).toContain(runUrl);
    expect(await answer('1.0')).not.toMatch(/Built by|provenance|runs\/17/);
  },
);

test('the build of a release is in the fields of search, and only if recorded', async () => {
  const said = await command('search', 'component:agent version:1.1', '--json');

  expect(JSON.parse(said)).toMatchObject([
    {
      ...{ repository: provenance.repository, builder: provenance.builder, commit },
      ...{ buildStartTime: provenance.startedOn, buildDuration: 'PT4M30S' },
    },
  ]);
  expect(await command('search', 'component:agent version:1.0', '--json')).not.toMatch(
    /github\.com|PT4M/,
  );
});

test('the build of a release is on the page of the component, with a link to the run at the release', () => {
  const page = readFileSync(join(out, 'agent.html'), 'utf8');

  expect(page).toContain(
    'Built by GitHub Actions in example/agent at 1a2b3c4, <time datetime="2026-03-03">3 Mar 2026</time>, ' +
      `<a href="${runUrl}">run</a>.</p>`,
  );
  expect(/<tr id="v1\.1">.*/.exec(page)![0]).toContain(`<a href="${runUrl}">Build`);
  expect(/<tr id="v1\.0">.*/.exec(page)![0]).not.toContain('Build');
});

test('the build of a release is not in the file for Renovate', () => {
  expect(readFileSync(join(out, 'agent.json'), 'utf8')).not.toMatch(/null|provenance|runs/);
});

test('the build of a release is compared with the source repository, if known', () => {
  expect(detailsOf('agent', '1.1').provenance).toEqual({
    ...provenance,
    text: sentence,
  });
  expect(detailsOf('fork', '1.1').provenance).toMatchObject({
    text: `${sentence} Its source repository is example/fork.`,
  });
  expect(detailsOf('orphan', '1.1').provenance).toEqual({ ...provenance, text: sentence });
});

// The question box uses the same function.
const inBox = async (text: string) => {
  const answer = await askIndex(openFolder(out, () => day).index, text);
  return answer.kind === 'releases' ? answer.releases : [];
};
const named = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ component, version }) => `${component} ${version}`);

test.each<[string, string[]]>([
  ['-hasProvenance releaseTimestamp:>-90d', ['agent 1.0', 'edge-node 1.0']],
  ['repository:*/example/agent commit:1a2b3c4*', ['agent 1.1', 'fork 1.1', 'orphan 1.1']],
  ['builder:*release.yml* component:agent', ['agent 1.1']],
  ['buildStartTime:2026-03-03 buildDuration:>4m component:fork', ['fork 1.1']],
  ['buildDuration:>5m', []],
])('the query %s selects by the build', async (text, releases) => {
  expect(named(await inBox(text))).toEqual(releases);
});

test('the result of a scan leads to the run that built the release, else to the changelog', async () => {
  covers('sourcedFromUri: URL or null');
  const scans = (
    JSON.parse(await command('scan', 'agent@1.1', 'agent@1.0', '--policy', 'stable', '--json')) as {
      results: PolicyScan[];
    }
  ).results;

  expect(scans.map(({ sourcedFromUri }) => sourcedFromUri)).toEqual([
    runUrl,
    'https://example.com/agent/changes',
  ]);
  expect(JSON.stringify(scans)).not.toContain('attestation states');
});

const other = 'https://github.com/other/agent';
test.each([
  ['1.1', 'github.com/example/agent', 'satisfied', undefined],
  ['1.1', 'https://github.com/Example/agent.git', 'satisfied', undefined],
  [
    '1.1',
    other,
    'unsatisfied',
    `1.1 was built from https://github.com/example/agent, not from ${other}.`,
  ],
  ['1.0', other, 'not-applicable', 'The repository that 1.0 was built from is not recorded.'],
])(
  'of %s, the stated repository %s is compared: %s',
  async (version, repositoryUrl, status, message) => {
    covers('Evaluate: repositoryUrl, the repository containing the package');
    const init = { method: 'POST', body: new URLSearchParams({ repositoryUrl }) };
    const text = await ask(`packages/generic/agent/${version}/policy-scans/stable`, init);
    const [scan] = JSON.parse(text) as [PolicyScan];

    expect([scan.status, scan.details.message]).toEqual([status, message]);
  },
);
