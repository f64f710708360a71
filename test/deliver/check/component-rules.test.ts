import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { judgeRecorded } from '../../../src/decide/judge.ts';
import { checkComponent } from '../../../src/deliver/check/component-rules.ts';
import { componentOf, definitionOf, today } from '../../site/render/sites.ts';
import { findGrowth } from '../../harness/growth.ts';

const releases = [{ version: '1.0', releaseTimestamp: '2026-01-01' }];
const advisory = (id: string) => ({ id, affected: '>=2' });

test('an advisory without a recorded release is reported only where the definition states it', () => {
  const definition = definitionOf({
    sources: [{ datasource: 'osv' }],
    advisories: [advisory('CVE-2026-1')],
  });
  const advisories = [{ ...advisory('CVE-2026-2'), source: 'osv' }];
  const judged = judgeRecorded('svc', definition, { releases, advisories }, today);
  const findings = checkComponent({ ...componentOf(releases), ...judged });

  const messages = findings.map(({ message }) => message).filter((text) => text.includes('CVE'));
  expect(messages).toEqual(['advisories: CVE-2026-1: affects and fixes no release in the index']);
});

test('a definition is not compared with the releases of a component that has none yet', () => {
  const definition = definitionOf({
    deprecated: [
      { versions: ['1.0'], reason: 'Loses data.' },
      { versions: '<2', reason: 'Loses data.' },
    ],
    advisories: [{ ...advisory('CVE-2026-1'), fixed: ['2.1'] }],
  });
  const check = (recorded: typeof releases) => {
    const judged = judgeRecorded('svc', definition, { releases: recorded }, today);
    return checkComponent({ ...componentOf(recorded), ...judged });
  };

  expect(check([]).filter(({ level }) => level === 'warning')).toEqual([]);
  expect(check([{ version: '3.0', releaseTimestamp: '2026-01-01' }])).toHaveLength(3);
});

test.each(['24.04', '24.4'])(
  'an end of %s before the first release of its line is reported',
  (line) => {
    const source = { datasource: 'endoflife-date' as const, product: 'svc' };
    const support = { policy: 'stated' as const, source, lines: { [line]: '2025-12-31' } };
    const recorded = {
      releases: [{ version: '24.04.1', releaseTimestamp: '2026-01-01' }],
      lines: [{ line: '24.04', source: 'support endoflife-date:svc', phases: [] }],
    };
    const judged = judgeRecorded('svc', definitionOf({ support }), recorded, today);
    const findings = checkComponent({ ...componentOf([]), ...judged });

    expect(findings.map(({ message }) => message)).toEqual([
      `support.lines["${line}"]: 2025-12-31 is before the line's first release (2026-01-01)`,
    ]);
  },
);

// Work that grows with the square would take 64 times as long.
test('eight times as many deprecated versions and releases take less than 30 times as long', async () => {
  const makeComponent = (count: number) => {
    const recorded = Array.from({ length: count }, (_, index) => ({
      version: `1.0.${index}`,
      releaseTimestamp: '2026-01-01',
    }));
    const versions = recorded.map(({ version }) => version);
    const deprecated = [{ versions, reason: 'Loses data.' }];
    return componentOf(recorded, { deprecated });
  };
  const measure = (count: number) => {
    const component = makeComponent(count);
    const start = process.threadCpuUsage();
    expect(checkComponent(component)).toEqual([]);
    return process.threadCpuUsage(start).user;
  };

  expect(await findGrowth(measure, 250)).toBeLessThan(30);
});

test.each([
  ['15.11', ['15.11.14'], []],
  ['15.11.13', ['15.11.14'], []],
  ['15.11', ['15.11.0-rc1'], ['upgradeStops[0]: "15.11" has no stable release to stop at']],
  ['15.12', ['15.11.14'], ['upgradeStops[0]: "15.12" has no stable release to stop at']],
])('the stop %s means a stable release of its line that is no lower', (at, versions, expected) => {
  const recorded = versions.map((version) => ({ ...releases[0]!, version }));
  const definition = definitionOf({ upgradeStops: [at] });
  const judged = judgeRecorded('svc', definition, { releases: recorded }, today);
  const findings = checkComponent({ ...componentOf(recorded), ...judged });

  expect(findings.map(({ message }) => message).filter((text) => text.includes('Stops'))).toEqual(
    expected,
  );
});

test('an unknown recommended version is named as such, beside its range, too', () => {
  const worksWith = {
    svc: [
      { recommended: '2.0', from: '1.0' },
      { versions: '1.0 || 3.0', recommended: '3.0', from: '1.0' },
    ],
  };
  const judged = judgeRecorded('kit', definitionOf({ worksWith }), { releases }, today);
  const findings = checkComponent({ ...componentOf(releases), ...judged });

  expect(findings.map(({ message }) => message).filter((text) => text.includes('With'))).toEqual([
    'worksWith.svc[0].recommended: "2.0" is no release in the index',
    'worksWith.svc[1].recommended: "3.0" is no release in the index',
  ]);
});

test('a release that the definition does not admit is not in the index', () => {
  const recorded = [
    ...releases,
    { version: '2.0-rc1', releaseTimestamp: '2026-02-01', source: 'npm:svc' },
  ];
  const definition = definitionOf({
    sources: [{ datasource: 'npm', packageName: 'svc' }],
    deprecated: [{ versions: ['2.0-rc1'], reason: 'Loses data.' }],
  });
  const judged = judgeRecorded('svc', definition, { releases: recorded }, today);

  expect(
    checkComponent({ ...componentOf(recorded), ...judged }).map(({ message }) => message),
  ).toEqual(['deprecated[0].versions: "2.0-rc1" is not in the index']);
});

test('an end is before the first release only where that day is certain', () => {
  const support = { policy: 'dated', lines: { '1.0': '2024-12-31' } } as const;
  const check = (recorded: RecordedRelease[]) => {
    const judged = judgeRecorded('svc', definitionOf({ support }), { releases: recorded }, today);
    return checkComponent({ ...componentOf(recorded), ...judged })
      .map(({ message }) => message)
      .filter((text) => text.includes('support'));
  };
  const seen = {
    version: '1.0',
    releaseTimestamp: '2026-01-01',
    timestampKind: 'observed',
  } as const;

  expect(check(releases)).toEqual([
    'support.lines["1.0"]: 2024-12-31 is before the line\'s first release (2026-01-01)',
  ]);
  expect(check([seen])).toEqual([]);
  expect(check([{ ...seen, notListedOn: '2025-12-01' }])).toEqual([
    'support.lines["1.0"]: 2024-12-31 is before the line\'s first release (2025-12-01)',
  ]);
});

test.each([
  [{ policy: 'none' } as const, ['notice']],
  [{ policy: 'term', months: 18 } as const, ['warning']],
  [{ policy: 'latest-lines', count: 1, months: 6 } as const, ['warning']],
  [{ policy: 'latest-lines', count: 1 } as const, []],
])('under the policy %j, a source without days gives %j', (support, levels) => {
  const seen = { version: '1.0', source: 'docker:svc', releaseTimestamp: '2026-01-01' };
  const recorded = [{ ...seen, timestampKind: 'observed' as const }];
  const judged = judgeRecorded('svc', definitionOf({ support }), { releases: recorded }, today);
  const findings = checkComponent({ ...componentOf(recorded), ...judged });

  const found = findings.filter(({ message }) => message.includes('states no release days'));
  expect(found.map(({ level }) => level)).toEqual(levels);
});
