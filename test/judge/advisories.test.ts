import { expect, test } from 'vitest';
import { describeReleases, judgeOn, release } from '../harness/judging.ts';

const day = '2026-06-01';
const osv = { datasource: 'osv' };
const npm = { datasource: 'npm', packageName: 'svc' };
const versions = ['2025.4', '2026.1', '2026.1.1', '2026.2', '2026.2.1', '2026.2.2'];

const first = {
  ...{ id: 'CVE-2026-1', affected: '>=2026.1 <2026.2.1', fixed: ['2026.2.1', '2026.3'] },
  severity: 'high',
};
const second = { id: 'x_own-2', affected: '=2026.2 || =2026.2.2', severity: 'low' };
const third = { id: 'CVE-2026-3', affected: '>=2026.2.1' };

const judgeWith = (definition: object, recorded: object = {}, names = versions) =>
  judgeOn(
    day,
    names.map((version) => release(version, '2026-01-01')),
    definition,
    recorded,
  );
const fromOsv = (advisories: object[]) => ({
  advisories: advisories.map((advisory) => ({ source: 'osv', ...advisory })),
});
const uniteFrom = (own: object[] | undefined, stated: object[]) =>
  judgeWith({ sources: [osv], advisories: own }, fromOsv(stated)).advisories;

test('a release lists the advisories that affect it, and the advisories that it fixes', () => {
  const component = judgeWith({ advisories: [second, first] });
  const { advisories } = component;
  const releases = describeReleases(component);

  expect(releases.map((each) => [each.advisories, each.fixes, each.severity])).toEqual([
    [[], [], undefined],
    [['CVE-2026-1'], [], 'high'],
    [['CVE-2026-1'], [], 'high'],
    [['CVE-2026-1', 'x_own-2'], [], 'high'],
    [[], ['CVE-2026-1'], undefined],
    [['x_own-2'], [], 'low'],
  ]);
  expect(releases.some(({ isDeprecated }) => isDeprecated)).toBe(false);
  expect(releases[1]).toMatchObject({
    because: ['Affected by CVE-2026-1.'],
    advice: 'Move to 2026.2.1 now.',
  });
  expect(advisories).toEqual([first, second]);
});

const term = { policy: 'term', months: 60 };

test.each<[string, object, line: string, ...expected: string[]]>([
  [
    'the newest release of a line is affected',
    { support: term, advisories: [first] },
    '2026.1',
    ...['Vulnerable', 'Server 2026.1 is supported until 2031-01-01.', 'Move to 2026.2.2 now.'],
    '60 months from its first release on 2026-01-01, according to the definition. Affected by CVE-2026-1.',
  ],
  [
    'every release is affected',
    { advisories: [{ ...third, affected: '*' }] },
    '2026.2',
    ...['Vulnerable', 'No end of support is stated for Server 2026.2.'],
    'No version is free of known advisories yet; it is the latest version.',
    'Affected by CVE-2026-3.',
  ],
  [
    'a line has ended',
    {
      support: { policy: 'ended', until: '2026-05-01' },
      advisories: [{ ...third, affected: '*' }],
    },
    '2026.2',
    ...['Ended', 'Server 2026.2 was supported until 2026-05-01.'],
    'There is nothing to move to yet.',
    'Support ends on 2026-05-01, according to the definition.',
  ],
])('the verdict of a release line says that %s', (_, definition, name, ...expected) => {
  const { lines } = judgeWith(definition);
  const { label, sentence, advice, because } = lines.find(({ line }) => line === name)!;

  expect([label, sentence, advice, because.toSorted().join(' ')]).toEqual(expected);
});

test('advisories from several sources are merged if the advisories share an id', () => {
  const python = { id: 'PYSEC-1', aliases: ['CVE-2026-1'], affected: '=2026.1', fixed: ['2026.2'] };
  const github = { id: 'GHSA-1', aliases: ['CVE-2026-1'], affected: '=2026.1.1', severity: 'high' };
  const other = { id: 'GHSA-2', aliases: ['CVE-2026-2'], affected: '=2026.1' };
  const link = { id: 'GO-1', aliases: ['PYSEC-1', 'CVE-2026-2'], affected: '=2026.2' };

  expect(uniteFrom(undefined, [github, other, python])).toEqual([
    {
      ...{ id: 'GHSA-1', aliases: ['CVE-2026-1', 'PYSEC-1'], severity: 'high', fixed: ['2026.2'] },
      affected: '=2026.1.1 || =2026.1',
    },
    other,
  ]);
  expect(uniteFrom(undefined, [other, link, python])).toMatchObject([
    { aliases: ['CVE-2026-1', 'CVE-2026-2', 'GO-1', 'PYSEC-1'] },
  ]);
  // The advisory of the definition takes precedence, and keeps its id.
  expect(uniteFrom([{ id: 'CVE-2026-1', affected: '=2026.2' }], [python, github])).toEqual([
    { id: 'CVE-2026-1', aliases: ['GHSA-1', 'PYSEC-1'], affected: '=2026.2' },
  ]);
});

/**
 * Creates an advisory for each number. Advisories of adjacent numbers share an alias: advisory 1 has the aliases B-1 and B-2, and advisory
 * 2 has B-2 and B-3.
 */
const chain = (...numbers: number[]) =>
  numbers.map((number) => ({
    ...{ id: `A-${number}`, aliases: [`B-${number}`, `B-${number + 1}`] },
    affected: `=1.${number}`,
  }));

test.each([
  ['only through a third advisory', chain(1, 3, 2)],
  ['in a chain of 5,000', chain(...Array(5000).keys())],
])('advisories that share an id %s become one group', (_, recorded) => {
  expect(uniteFrom(undefined, recorded)).toHaveLength(1);
});

test('the exploitation date is the earliest of all advisories and catalogues', () => {
  const own = {
    id: 'CVE-2026-1',
    aliases: ['GHSA-1'],
    affected: '=2026.1',
    exploitedSince: '2026-05-02',
  };
  const catalogue = [
    { id: 'GHSA-1', exploitedSince: '2026-05-03', dueBy: '2026-06-12' },
    { id: 'CVE-2026-1', exploitedSince: '2026-05-01', dueBy: '2026-06-11' },
    { id: 'CVE-2026-2', exploitedSince: '2026-01-01', dueBy: '2026-01-31' },
  ];
  const { advisories, releases } = judgeWith(
    { sources: [osv], advisories: [own] },
    fromOsv(catalogue),
  );

  expect(advisories).toEqual([{ ...own, exploitedSince: '2026-05-01', dueBy: '2026-06-11' }]);
  expect(releases[1]).toMatchObject({ exploitedSince: '2026-05-01', moveBy: '2026-06-11' });
});

test('a release lists advisories about exploited vulnerabilities first', () => {
  const advisories = [
    { id: 'CVE-1-1', affected: '<1.8.0', fixed: ['1.8.0'] },
    { id: 'CVE-1-2', affected: '=1.7', exploitedSince: '2026-05-02' },
  ];
  const { releases } = judgeWith({ advisories }, {}, ['1.7.0', '1.8']);

  expect(releases.map((each) => [each.advisories, each.fixes])).toEqual([
    [['CVE-1-2', 'CVE-1-1'], []],
    [[], ['CVE-1-1']],
  ]);
});

test.each([
  ['the definition', { advisories: [first] }, undefined, true],
  ['a trusted source', { sources: [{ ...osv, trusted: true }] }, [first], true],
  ['another source', { sources: [osv] }, [first], undefined],
])(
  'a fixed version is trusted only if the definition or a trusted source lists the advisory: listed by %s',
  (_, definition, stated, isTrusted) => {
    const { releases } = judgeWith(definition, stated && fromOsv(stated));

    expect(releases[4]).toMatchObject({ version: '2026.2.1', fixes: ['CVE-2026-1'] });
    expect(releases[4]!.isTrustedFix).toBe(isTrusted);
  },
);

type Stated = object[] | undefined;

test.each<[title: string, sources: object[], own: Stated, answer: Stated, isKnown: boolean]>([
  ['has no source of advisories', [npm], undefined, undefined, false],
  ['has its own list of advisories, even an empty one', [npm], [], undefined, true],
  ['has an OSV source that has not answered', [npm, osv], undefined, undefined, false],
  ['has its own list, and an OSV source that has not answered', [osv], [], undefined, false],
  ['has an OSV source that has answered', [npm, osv], undefined, [], true],
])(
  'a component that %s says whether its advisories are known',
  (_, sources, advisories, answer, isKnown) => {
    const component = judgeWith(
      { sources, ...(advisories && { advisories }) },
      answer && { advisories: answer },
    );

    expect(component.watchesAdvisories).toBe(isKnown);
    expect(component.releases.at(-1)!.advisories).toEqual(isKnown ? [] : undefined);
    expect(describeReleases(component).at(-1)!.advice).toBe(
      `No action is needed; it is the latest version.${isKnown ? '' : ' Advisories are not checked.'}`,
    );
  },
);

const malicious = {
  ...fromOsv([{ id: 'GHSA-1', aliases: ['MAL-2026-1'], affected: '=2026.2.2' }]),
};

test.each<[string, object, object, string]>([
  ['its advisory is recorded', {}, malicious, '2026.2.1'],
  ['upstream deprecations are ignored', { ignoreUpstreamDeprecation: true }, malicious, '2026.2.1'],
  [
    'its advisory is ignored by its own id',
    { ignoreAdvisories: ['GHSA-1'] },
    malicious,
    '2026.2.2',
  ],
  ['by its other id', { ignoreAdvisories: ['MAL-2026-1'] }, malicious, '2026.2.2'],
  ['its advisory is gone', {}, fromOsv([]), '2026.2.2'],
])(
  'a malicious release is the latest only if its malware advisory is ignored or gone: if %s',
  (_, definition, recorded, latest) => {
    const malware = { advisory: 'MAL-2026-1', since: '2026-05-30' };
    const releases = versions.map((version) =>
      release(version, '2026-01-01', version === '2026.2.2' ? { malware } : {}),
    );
    const component = judgeOn(day, releases, { sources: [osv], ...definition }, recorded);
    const { isDeprecated, deprecatedSince, reasons, advisories } = component.releases.at(-1)!;

    expect(component.latest).toBe(latest);
    expect([isDeprecated, deprecatedSince, reasons.map(({ text }) => text), advisories]).toEqual(
      latest === '2026.2.1'
        ? [true, '2026-05-30', ['Malicious code: MAL-2026-1'], ['GHSA-1']]
        : [false, undefined, [], []],
    );
  },
);
