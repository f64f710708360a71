/** Days with their publication: what passes as usual, what waits for a person, and that a decision lets both go on. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/day.ts';
import { createFolder } from '../../harness/index-folder.ts';
import {
  listReleases,
  openOperatedIndex,
  type ListedRelease,
} from '../../harness/operated-index.ts';

const begun = listReleases(3);
const add = (count: number, isDeprecated = false) => [
  ...begun,
  ...['2025.1.0', '2025.1.1', '2025.2.0'].slice(0, count).map((version) => {
    return { version, isDeprecated };
  }),
];
const lists: Record<string, ListedRelease[]> = {
  all: begun,
  two: begun.slice(0, 2),
  gone: begun.map((each) => ({ ...each, isDeprecated: true })),
  three: begun.map((each, index) => ({ ...each, isDeprecated: index >= 9 })),
  new1: add(1),
  new2: add(2),
  new3: add(3),
  bad: add(3, true),
  pushed: [...begun, { version: '2.0', releaseTimestamp: '2026-05-02', isDeprecated: true }],
};
const ends = { '1.0': '2026-08-15', '1.1': '2026-08-15', '1.2': '2026-08-15' };
const lines = Object.entries(ends).map(([line, support]) => ({ line, phases: { support } }));
const edits: Record<string, object> = {
  ended: { support: { policy: 'ended', until: '2027-01-01' } },
  short: { support: { policy: 'term', months: 12 } },
};

// A word is a day with its list; a red one has an exclamation mark. Other words are what people do before it.
test.each([
  ['a term ends', 'all all all', 30, { policy: 'term', months: 18 }],
  ['a line is pushed out', 'pushed pushed', 40, { policy: 'latest-lines', count: 1, months: 1 }],
  ['dated ends', 'all all all', 60, { policy: 'dated', lines: ends }],
  ['stated ends', 'all all all', 60, 'stated'],
  ['a component retires', 'all ended all all', 1],
  ['a term is shortened', 'all short all all', 1, { policy: 'term', months: 48 }],
  ['a selection admits none of two', 'two none two!', 1],
  ['all are deprecated, twice', 'all gone! accept gone all gone!', 1],
  ['an upload fails', 'all three! accept fail three three', 1],
  ['a source is silent', 'all three! silent accept silent three', 1],
  ['a new scheme, then it is gone', 'all new1! new2 accept new3 new3 bad!', 1],
  ['a component goes, twice', 'all less all! accept fail all all more all less all!', 1],
] as [string, string, number, (object | 'stated')?][])('%s: %s', async (_, days, step, policy) => {
  const index = await openOperatedIndex();
  const source = { datasource: 'json', url: `${index.url}/svc.json` };
  const stated = { policy, source: { ...source, transform: JSON.stringify({ lines }) } };
  index.define('other', begun);
  index.define('svc', begun, { support: policy === 'stated' ? stated : policy });
  index.commit();
  const site = `--to ${join(createFolder(), 'site')}`;
  let publication = site;
  let day = '2026-05-02';
  let printed = '';
  for (const word of days.split(' ')) {
    const list = word === 'silent' ? [] : lists[word.replace('!', '')];
    if (list) {
      index.answers.set('svc', list);
      const { status, stderr } = await index.run(`daily ${publication}`, day);
      expect([day, word, status], stderr).toEqual([day, word, Number(word.endsWith('!'))]);
      [, printed = ''] = /npx release-index (accept [\w-]+)/.exec(stderr) ?? [];
      day = addDays(day, step);
      publication = site;
    } else if (word === 'accept') {
      expect(await index.run(printed, day)).toMatchObject({ status: 0 });
    } else if (word === 'fail') {
      publication = '--skip-publish';
    } else {
      if (word === 'less') {
        index.write('components/other.json', undefined);
      } else if (word === 'more') {
        index.define('other', begun);
      } else {
        const none = { sources: [{ ...source, allowedVersions: '/9/' }] };
        index.edit('components/svc.json', edits[word] ?? none);
      }
      index.commit();
    }
  }
});
