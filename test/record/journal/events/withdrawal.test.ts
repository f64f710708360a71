import { expect, test } from 'vitest';
import type { Day } from '../../../../src/core/model/dates.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import { foldJournal } from '../../../../src/decide/fold-journal.ts';
import { componentOf, recordedBy } from '../../../site/render/sites.ts';

const releases = ['1.0', '1.1'].map((version) => ({ version, firstSeen: '2026-01-01' }));

/** The journal after the run of a day, on which 1.1 is withdrawn or not. */
function recordOn(day: Day, journal: JournalEvent[], withdrawnSince?: Day): JournalEvent[] {
  const [first, second] = releases;
  const listed = [first!, withdrawnSince ? { ...second!, withdrawnSince } : second!];
  return recordedBy(componentOf(listed, {}, { day }), journal);
}

test('a withdrawal is one event, and so is the return', () => {
  const entered = recordOn('2026-01-01', []);
  const withdrawn = recordOn('2026-02-01', entered, '2026-02-01');
  const nextDay = recordOn('2026-02-02', withdrawn, '2026-02-01');
  const relisted = recordOn('2026-02-03', nextDay);

  const news = relisted.slice(entered.length).map(({ type, on, version }) => [type, on, version]);

  expect(news).toEqual([
    ['withdrawn', '2026-02-01', '1.1'],
    ['relisted', '2026-02-03', '1.1'],
  ]);
  expect(foldJournal(nextDay).versions.get('1.1')?.verdict).toEqual({ rule: 'withdrawn' });
  expect(foldJournal(relisted).versions.get('1.1')?.verdict).toBeUndefined();
});

test('a release that the definition lists no longer is withdrawn by it, in the event and in the reason', () => {
  const [release] = releases.map((each) => ({ ...each, source: 'static' }));
  const listed = componentOf([release!], {}, { day: '2026-01-01' });
  const gone = componentOf(
    [{ ...release!, withdrawnSince: '2026-02-01' }],
    {},
    { day: '2026-02-01' },
  );

  const events = recordedBy(gone, recordedBy(listed, []));
  expect(events.find(({ type }) => type === 'withdrawn')?.reason).toBe(
    'The definition no longer lists it.',
  );
  expect(gone.judgement.releases[0]!.because[0]!.text).toBe(
    'The definition has not listed it since 2026-02-01.',
  );
});
