import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { runOverPins, type Pin } from './pins.ts';
import { pullRequestBodies } from './pull-request.ts';
import { serveComponents, type ServedSite } from './site.ts';

const listing = (definition: object, ...versions: string[]) => ({
  definition,
  releases: versions.map((version) => ({ version, releaseTimestamp: '2025-01-31' })),
});

const agent = {
  worksWith: {
    svc: [
      { versions: '4.5', from: '2026.2' },
      { versions: '4.3', from: '2025.4' },
      { versions: '4.1', from: '2025.2' },
    ],
  },
};

const forge = {
  deprecated: [{ versions: '15.0', reason: 'Old.' }],
  upgradeStops: ['14.10', { at: '15.0', reason: 'It rewrites the configuration.' }, '16.3'],
};

let served: ServedSite;

beforeAll(async () => {
  served = await serveComponents({
    svc: listing({}, '2025.2', '2025.4', '2026.2', '2026.3'),
    agent: listing(agent, '4.1', '4.1.1', '4.3.2', '4.4.0', '4.5.0'),
    forge: listing(forge, '14.0.12', '14.10.5', '15.0.5', '15.4.6', '16.3.9', '17.1.0', '17.3.7'),
  });
});

afterAll(() => served?.close());

function look(presets: readonly string[], pins: readonly Pin[]) {
  const configuration = { extends: presets.map((name) => `${served.origin}/${name}`) };
  return runOverPins(
    pins,
    { origin: served.origin, datasource: siteConfig.datasource },
    configuration,
  );
}

test.each([
  ['2025.2', '4.4.0'],
  ['2025.4', '4.4.0'],
])(
  'with svc %s, Renovate proposes no agent that is stated not to work with it, and up to %s',
  async (line, expected) => {
    const run = await look(['renovate.json', `renovate/with/svc-${line}.json`], [['agent', '4.1']]);

    const [agent] = run.lookups.filter(({ component }) => component === 'agent');
    expect(agent?.proposed.toSorted().at(-1)).toBe(expected);
    expect(run.problems).toEqual([]);
  },
);

test('a pull request names the releases that the preset for a line leaves out', async () => {
  const presets = ['renovate.json', 'renovate/with/svc-2025.4.json'];
  const { branches } = await look(presets, [['agent', '4.1']]);

  const [body] = await pullRequestBodies(branches);

  expect(body).toContain(
    `**[agent](${served.origin}/agent.html)**: left out, as stated not to work with A component 2025.4: 4.5.0.`,
  );
});

test.each([
  [['renovate.json']],
  // The last one decides which releases Renovate reads.
  [['renovate/only/forge.json', 'renovate/only/agent.json']],
])(
  'with %s, a pin reaches the newest release through every stop, even a deprecated one',
  async (presets) => {
    const way = ['14.0.12'];
    while (way.length < 10) {
      const run = await look(presets, [['forge', way.at(-1)!]]);
      const proposed = run.lookups.flatMap((lookup) => lookup.proposed);
      const next = proposed.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)).at(-1);
      if (next === undefined) {
        break;
      }
      way.push(next);
    }

    expect(way).toEqual(['14.0.12', '14.10.5', '15.0.5', '16.3.9', '17.3.7']);
  },
);
