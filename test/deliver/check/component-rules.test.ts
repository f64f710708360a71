import { expect, test } from 'vitest';
import { judgeRecorded } from '../../../src/decide/judge.ts';
import { checkComponent } from '../../../src/deliver/check/component-rules.ts';
import { componentOf, definitionOf, today } from '../../site/render/sites.ts';

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
  expect(messages).toEqual(['advisories: CVE-2026-1: affects and fixes no recorded release']);
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
      { versions: '1.0', recommended: '3.0', from: '1.0' },
    ],
  };
  const judged = judgeRecorded('kit', definitionOf({ worksWith }), { releases }, today);
  const findings = checkComponent({ ...componentOf(releases), ...judged });

  expect(findings.map(({ message }) => message).filter((text) => text.includes('With'))).toEqual([
    'worksWith.svc[0].recommended: "2.0" is no recorded release',
    'worksWith.svc[1].recommended: "3.0" is no recorded release',
  ]);
});
