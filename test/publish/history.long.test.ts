/** Runs an index whose journal is damaged, or whose live site has other components. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { listen } from '../harness/listen.ts';
import {
  all,
  editLines,
  journal,
  next,
  publishDays,
  type Damage,
} from '../harness/published-days.ts';

const { open } = await publishDays();

test.for<[title: string, damage: Damage, path: string, line: number]>([
  ['drops a line', editLines(journal, (lines) => lines.toSpliced(4, 1)), journal, 5],
  [
    'repeats the last line of a removed component',
    all(
      editLines(journal, (lines) => [...lines, lines.at(-1)!]),
      ({ git }) => git('rm', '--quiet', 'components/svc.json', 'data/svc.json'),
    ),
    journal,
    15,
  ],
])('every verb rejects a journal if a merge %s', async ([, damage, path, line]) => {
  const { index, site } = open();
  damage(index, site);
  index.commit('Merge');
  const said = `error: ${path}, line ${line}: expected the id ${line}. Correct it, or restore it from a commit that "git log -- ${path}" lists: git restore --source=<commit> -- ${path}\n`;

  const publish = `publish --to ${site}`;
  for (const verb of [`daily --to ${site}`, 'build', 'check', publish, `${publish} --force`]) {
    expect(await index.run(verb, next), verb).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(said) as string,
    });
  }
  expect(index.requests).toEqual([]);
});

test.for<[title: string, more: string, status: number]>([
  ['if it is the only removed component', '', 0],
  ['but not together with a component that has releases', ' agent', 1],
])('a component that never had a release can be removed %s', async ([, more, expected]) => {
  const { index, site } = open();
  index.define('fresh', { type: 'text/plain', body: '' });
  index.commit();
  // The run fails, because the source has never given a usable answer.
  expect((await index.run(`daily --to ${site}`, next)).status).toBe(1);
  expect(readFileSync(join(site, 'all.json'), 'utf8')).toContain('"fresh"');

  for (const name of `fresh${more}`.split(' ')) {
    index.git('rm', '--quiet', '--ignore-unmatch', `components/${name}.json`, `data/${name}.json`);
  }
  index.commit();
  const { status, stderr } = await index.run(`daily --to ${site}`, addDays(next, 1));

  expect(status, stderr).toBe(expected);
  expect(stderr).not.toContain('fresh:');
  expect(readFileSync(join(site, 'all.json'), 'utf8').includes('"fresh"')).toBe(expected === 1);
});

test('if the live site answers 503, daily records the day and warns', async () => {
  const { index } = open();
  const url = await listen((_, response) => response.writeHead(503).end());
  index.edit('site/site.json', { releasesUrl: url });
  index.commit();

  const { status, stderr } = await index.commitDay(next);

  expect(stderr).toContain(
    `warning: live site: ${url}/SHA256SUMS cannot be read: it answered 503. The live site was not compared with data/`,
  );
  expect(status).toBe(0);
  expect(index.data.readRuns().at(-1)?.asOf).toBe(next);
});
