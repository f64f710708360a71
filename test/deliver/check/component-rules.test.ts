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
