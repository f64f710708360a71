import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths } from '../../src/core/model/dates.ts';
import { serve, startUpstream, type Document, type Upstream } from '../harness/upstream.ts';
import { runRenovate, type Run } from './client.ts';
import { pullRequestBodies } from './pull-request.ts';
import { daysAgo, serveComponents, type ServedSite } from './site.ts';

/** The days of the releases of a chart and of an image that Renovate finds by itself, in days ago. */
const days = { '2025.1.0': 600, '2025.2.0': 500, '2026.1.0': 100, '2026.2.0': 30 };

let upstream: Upstream;
let served: ServedSite;
let [without, withPreset]: Run[] = [];

beforeAll(async () => {
  upstream = await startUpstream(() => serve(new Map([['/charts/index.yaml', chartIndex()]])));
  const registryUrl = `${upstream.url}charts/`;
  served = await serveComponents({
    svc: {
      definition: {
        support: { policy: 'term', months: 18 },
        deprecated: [{ versions: ['2025.2'], reason: 'Loses data.' }],
        advisories: [{ id: 'CVE-2026-1', affected: '<2025.2', severity: 'high' }],
        sources: [
          { datasource: 'helm', packageName: 'server', registryUrl },
          { datasource: 'docker', packageName: 'example/server' },
        ],
      },
      // Recorded by hand: Renovate must ask the registry itself.
      releases: Object.entries(days).map(([version, ago]) => ({
        version: version.replace(/\.0$/, ''),
        releaseTimestamp: daysAgo(ago),
      })),
    },
  });
  const files = {
    'chart/Chart.yaml': chartWith(registryUrl, '2025.1.0'),
    'other/Chart.yaml': chartWith(registryUrl, '2025.2.0'),
    'newest/Chart.yaml': chartWith(registryUrl, '2026.1.0'),
  };
  without = await runRenovate(
    { ...files, 'renovate.json': '{"extends": []}' },
    { origin: served.origin },
  );
  withPreset = await runRenovate(
    { ...files, 'renovate.json': JSON.stringify({ extends: [`${served.origin}/renovate.json`] }) },
    { origin: served.origin },
  );
});

afterAll(async () => {
  await served?.close();
  await upstream?.close();
});

test('the preset changes no proposal of a package that it does not answer for', () => {
  const proposalsOf = ({ lookups }: Run) =>
    lookups
      .filter(({ file }) => file !== 'renovate.json')
      .map(({ file, pin, values }) => [file, pin, values]);

  expect(proposalsOf(without!)).toHaveLength(3);
  expect(proposalsOf(withPreset!)).toEqual(proposalsOf(without!));
});

test('pull requests of such a package say what is known, and have the labels', async () => {
  const bodies = await pullRequestBodies(withPreset!.branches);

  const told = new Map<string, { labels: string[]; says: string[] }>();
  for (const [index, upgrades] of withPreset!.branches.entries()) {
    const says = Array.from(bodies[index]!.matchAll(/^\*\*\[svc (.+?)\]\(.+?\)\*\*: (.+)$/gm));
    for (const { currentValue, addLabels = [] } of upgrades) {
      const own = says.filter(([, version]) => version === currentValue);
      told.set(currentValue, {
        labels: [...new Set(addLabels)].sort(),
        says: own.map(([, , text]) => text!),
      });
    }
  }
  const end = (ago: number) => addMonths(daysAgo(ago), 18);
  const policy = 'A release line is supported for 18 months from its first release.';
  expect(Object.fromEntries(told)).toEqual({
    '2025.1.0': {
      labels: ['security', 'unsupported'],
      says: [
        'Affected by CVE-2026-1 (high).',
        `End of support: ${end(600)}. ${policy}`,
        `End of support of 2026.2.0: ${end(30)}.`,
      ],
    },
    '2025.2.0': {
      labels: ['deprecated', 'support-ends'],
      says: [
        `End of support: ${end(500)}. ${policy}`,
        'Deprecated: Loses data.',
        `End of support of 2026.2.0: ${end(30)}.`,
      ],
    },
    '2026.1.0': {
      labels: [],
      says: [`End of support: ${end(100)}. ${policy}`, `End of support of 2026.2.0: ${end(30)}.`],
    },
  });
});

function chartIndex(): Document {
  const entries = Object.entries(days).map(
    ([version, ago]) =>
      `    - name: server\n      version: ${version}\n      created: "${daysAgo(ago)}T00:00:00Z"\n      urls: [server-${version}.tgz]\n`,
  );
  return {
    body: `apiVersion: v1\nentries:\n  server:\n${entries.join('')}`,
    type: 'text/yaml',
  };
}

function chartWith(repository: string, version: string): string {
  return `apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n  - name: server\n    version: ${version}\n    repository: ${repository}\n`;
}
