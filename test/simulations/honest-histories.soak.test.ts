import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, type Day } from '../../src/core/model/dates.ts';
import { openHonestUpstream } from '../harness/honest-history.ts';
import { json } from '../harness/imitated-upstream.ts';
import { packument } from '../harness/npm-registry.ts';
import { definition, readJsonIn, writeIn } from '../harness/root.ts';
import { serve, startUpstream, type Document } from '../harness/upstream.ts';
import { drawing } from '../harness/upstream-life.ts';
import { commandsIn, openOperatedIndex } from '../harness/operated-index.ts';

const start: Day = '2026-01-01';
const days = 400;
/** A run that sees the news of several days is stricter than one a day. */
const daysApart = 8;
const histories = 200;
const mostHeld = 4;

test(`of ${histories} honest histories of ${days} days, at most ${mostHeld} are held, each once`, async () => {
  const upstreams = new Map(
    Array.from({ length: histories }, (_, seed) => [
      `lib-${seed}`,
      openHonestUpstream(drawing(seed + 1), start),
    ]),
  );
  const documents = new Map<string, Document>();
  let today = start;
  const server = await startUpstream(() => (request, response) => {
    response.setHeader('date', new Date(`${today}T04:23:00Z`).toUTCString());
    serve(documents)(request, response);
  });
  onTestFinished(() => server.close());
  const index = openOperatedIndex(start, {
    releasesUrl: 'https://releases.example.org',
    staleAfterDays: 12,
  });
  await index.asPerson('Define', (folder) => {
    for (const name of upstreams.keys()) {
      writeIn(folder, `components/${name}.json`, describeComponent(name, server.url));
    }
  });
  const heldOn = new Map<string, string[]>();
  let commands: string[] = [];

  for (let count = 0; count <= days; count += 1) {
    today = addDays(start, count);
    index.setDay(today);
    for (const upstream of upstreams.values()) {
      upstream.live(today);
    }
    if (count % daysApart !== 0) {
      continue;
    }
    for (const [name, upstream] of upstreams) {
      documents.set(`/${name}`, json(packument(name, upstream.listing())));
      documents.set(
        `/v1/products/${name}`,
        json({ result: { name, releases: upstream.ends(today) } }),
      );
      documents.set(`/advisories/${name}.json`, json(upstream.advisories(name)));
    }
    for (const command of commands) {
      await index.asPerson('Accept', (folder) => index.run(command, folder));
    }

    const run = await index.run('daily --push --skip-publish');

    commands = commandsIn(run).filter((command) => command.startsWith('accept'));
    const held = readHeld(index.root.dir);
    for (const { id, ...rest } of held) {
      const text = `${id} ${JSON.stringify(rest).slice(0, 300)}`;
      const name = id.slice(0, id.lastIndexOf('-'));
      const before = heldOn.get(name) ?? [];
      if (before.every((line) => !line.includes(id))) {
        heldOn.set(name, [...before, `${today}: ${text}`]);
      }
    }
  }

  const all = [...heldOn.values()].flat();
  console.log(`${heldOn.size} of ${histories} histories were held:\n${all.join('\n')}`);
  expect(all.length, all.join('\n')).toBeLessThanOrEqual(mostHeld);
}, 3_600_000);

/** Its releases, their ends and its advisories have a document each. */
function describeComponent(name: string, url: string): object {
  return definition({
    title: name,
    sources: [
      { datasource: 'npm', packageName: name, registryUrl: url },
      { datasource: 'osv', url: `${url}advisories/${name}.json` },
    ],
    support: {
      policy: 'stated',
      source: { datasource: 'endoflife-date', product: name, registryUrl: url },
    },
  });
}

function readHeld(root: string): { id: string }[] {
  const file = 'data/held.json';
  return existsSync(join(root, file))
    ? readJsonIn<{ held: { id: string }[] }>(root, file).held
    : [];
}
