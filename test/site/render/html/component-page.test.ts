import { expect, test } from 'vitest';
import { judgeRecorded } from '../../../../src/decide/judge.ts';
import { componentOf, pageOf, recordedBy } from '../sites.ts';

const releases = ['1.0', '1.1', '1.1.1', '2.0'].map((version) => ({ version }));

/** The words of a page. */
function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a page names the advisories that affect a release, the releases and the fixes', () => {
  const advisories = [
    { id: 'CVE-2026-1', affected: '<1.1.1', fixed: ['1.1.1'], severity: 'high' as const },
    {
      id: 'CVE-2026-2',
      affected: '=2.0',
      summary: '<b>Reads files.</b>',
      url: 'https://example.com/2',
    },
    { id: 'CVE-2026-3', affected: '>3' },
  ];
  const html = pageOf(componentOf(releases, { advisories }));
  const words = wordsOf(html);

  expect(words).toContain('CVE-2026-1 affects 1.1, 1.0 high; fixed in 1.1.1');
  expect(words).toContain(
    'CVE-2026-2 affects 2.0 no fixed version is known &lt;b&gt;Reads files.&lt;/b&gt;',
  );
  expect(words).not.toContain('CVE-2026-3');
  expect(html).toContain('<a href="https://example.com/2">CVE-2026-2</a>');
  // The release to use, and the rows of releases.
  expect(words.match(/Vulnerable: CVE-2026-2 \(no fixed version is known\)\./g)).toHaveLength(2);
  expect(words.match(/Vulnerable: CVE-2026-1 \(high; fixed in 1\.1\.1\)\./g)).toHaveLength(2);
  expect(words.match(/Fixes CVE-2026-1\./g)).toHaveLength(1);
});

test('a page lists the exploited advisories first, then the others from the newest', () => {
  const advisories = Array.from({ length: 7 }, (_, index) => ({
    id: `CVE-2026-${index}`,
    affected: '=1.0',
  }));
  const oldest = {
    ...{ id: 'CVE-2026-0', exploitedSince: '2026-11-03' },
    source: 'exploited:https://example.com/catalogue.json',
  };
  const component = componentOf(releases, { advisories });
  const judged = judgeRecorded(
    'svc',
    component.definition,
    { releases, advisories: [oldest] },
    component.judgement.day,
  );
  const listed = wordsOf(pageOf({ ...component, ...judged })).match(/CVE-2026-\d(?= affects)/g);

  expect(listed?.slice(0, 2)).toEqual(['CVE-2026-0', 'CVE-2026-6']);
});

test('a long list of releases has a link to each year', () => {
  const yearly = [2022, 2023, 2024, 2025, 2026].map((year) => ({
    version: `${year}.1`,
    releaseTimestamp: `${year}-01-01`,
  }));
  const html = pageOf(componentOf(yearly));
  const links = Array.from(html.matchAll(/<a href="#(of-\d+)">/g), ([, id]) => id);

  expect(links).toEqual(['of-2026', 'of-2025', 'of-2024', 'of-2023', 'of-2022']);
  expect(links.every((id) => html.includes(`<div id="${id}">`))).toBe(true);
});

test('a page says once that no release days are known, and shows the newest versions', () => {
  const seen = Array.from({ length: 30 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-06-01',
    timestampKind: 'observed' as const,
  }));
  const html = pageOf(componentOf(seen));
  const [, list = ''] = html.split('id="lines"');
  const [open = '', folded = ''] = list.split('<details');

  expect(html).not.toContain('Release frequency');
  expect(wordsOf(list).match(/Release days unknown/g)).toHaveLength(1);
  expect(list).not.toContain('≤');
  expect(open.match(/<tr id=/g)).toHaveLength(20);
  expect(folded).toContain('Show 10 older releases');
});

test('a change begins with a capital letter, and one release has no frequency', () => {
  const component = componentOf([{ version: '1.0', releaseTimestamp: '2026-05-01' }]);
  const html = pageOf({ ...component, journal: recordedBy(component) });

  expect(html).toContain('<span>Added with 1 release: 1.0.</span>');
  expect(html).not.toContain('Release frequency');
});

test('the frequency of releases is that of known days, and says how many are unknown', () => {
  const stated = ['01', '11', '21'].map((dayOfMay, index) => ({
    version: `2.${index}`,
    releaseTimestamp: `2026-05-${dayOfMay}`,
    firstSeen: '2026-06-01',
  }));
  const older = ['1.0', '1.1'].map((version) => ({
    version,
    releaseTimestamp: '2026-06-01',
    timestampKind: 'observed' as const,
    firstSeen: '2026-06-01',
  }));
  const frequencyOf = (releases: typeof stated) =>
    wordsOf(pageOf(componentOf(releases)).split('Release frequency')[1] ?? '');

  expect(frequencyOf([...older, ...stated])).toMatch(
    / 3 2 more without a known day .* 3 about one in 10 days/,
  );
  expect(frequencyOf([...older, ...stated.slice(1)])).not.toContain('about one in');
});

test('releases on one day have a frequency, but no interval', () => {
  const releases = ['1.0', '1.1', '1.2'].map((version) => {
    return { version, releaseTimestamp: '2026-05-01' };
  });
  const html = pageOf(componentOf(releases));

  expect(html).toContain('Release frequency');
  expect(html).not.toContain('about one in');
});

test('the title of the component that replaces another stands on its page', () => {
  const replacement = componentOf(releases, { title: 'Edge node' }, { name: 'edge-node' });
  const replaced = componentOf(releases, {
    replacedBy: 'edge-node',
    deprecated: [{ versions: '>=0', reason: 'Replaced.' }],
  });
  const html = pageOf({ ...replaced, replacement });

  expect(html).toContain('Replaced by Edge node, whose latest version is 2.0.');
  expect(html).toContain('Renovate proposes <a href="edge-node.html">Edge node</a> instead.');
});

test('neighbours that are deprecated for one reason name it once', () => {
  const deprecated = [{ versions: '<2', reason: 'Too old.', url: 'https://example.com/old' }];
  const words = wordsOf(pageOf(componentOf(releases, { deprecated })));

  expect(words.match(/ deprecated /g)).toHaveLength(3);
  expect(words.match(/Too old\. Read why/g)).toHaveLength(1);
});

test('a release that will be deprecated links to the reason', () => {
  const url = 'https://example.com/old';
  const deprecated = [{ versions: '<2', reason: 'Too old.', url, since: '2027-01-01' }];
  const words = wordsOf(pageOf(componentOf(releases, { deprecated })));

  expect(words.match(/Too old\. Read why/g)).toHaveLength(1);
});

test('a sentence on security has no link to the source of a support policy', () => {
  const support = { policy: 'ended', until: '2025-01-01', url: 'https://example.com/end' } as const;
  const advisories = [{ id: 'CVE-2026-1', affected: '<3' }];
  const html = pageOf(componentOf(releases, { support, advisories }));

  expect(html).toContain('Vulnerable: CVE-2026-1');
  expect(html).not.toContain('Read why');
});

test('a component with ends and without releases is not red', () => {
  const support = { policy: 'dated' as const, lines: { '1.0': '2027-03-01' } };
  const html = pageOf(componentOf([], { support }));

  expect(html).toContain('No release of it is known yet.');
  expect(html).toContain('class="answer hero tone-none"');
});

test.each([
  ['withdrawn', [...releases, { version: '2.1', withdrawnSince: '2026-01-02' }], 'was withdrawn'],
  ['deprecated', [...releases, { version: '2.1', deprecated: 'Broken.' }], 'is deprecated'],
])('the head says that the greatest release is %s', (_, recorded, words) => {
  const [head = ''] = wordsOf(pageOf(componentOf(recorded))).split('Which version do you run?');

  expect(head).toContain('Newest version to use 2.0 ');
  expect(head).toContain(` 2.1 ${words}. `);
});

test('the head is judged again on the day on which an end that may have come certainly has', () => {
  const observed = {
    version: '1.0',
    ...{ releaseTimestamp: '2025-09-30', timestampKind: 'observed' as const },
    ...{ firstSeen: '2025-09-30', notListedOn: '2025-05-31' },
  };
  const html = pageOf(componentOf([observed], { support: { policy: 'term', months: 12 } }));

  // Its support ends between 2026-05-31 and 2026-09-30.
  expect(/data-changes-on="([^"]*)"/.exec(html)?.[1]).toBe('2026-10-01');
});
