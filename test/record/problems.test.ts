import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { isError } from '../../src/core/errors.ts';
import type { Run, Freshness, Hold, RecordedRelease } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import type { ComposedDay } from '../../src/record/compose-day.ts';
import { listDayProblems } from '../../src/record/problems.ts';

const start = '2026-06-01';

const list = ({ day = start, ...facts }: Partial<ComposedDay> & { day?: string }) =>
  listDayProblems({
    run: { asOf: day } as Run,
    lastRun: undefined,
    definitions: new Map(),
    staleAfterDays: 3,
    recorded: new Map(),
    changed: [],
    events: new Map(),
    freshness: {},
    held: [],
    failed: [],
    postponed: [],
    notes: [],
    bugs: [],
    ...facts,
  });

/**
 * Returns the days on which a run fails because of an alert. `days` has the days on which there is a run. Each day is a number of days
 * after 1 June: 1 June is 0, and 4 June is 3.
 */
function listRedDays(
  held: (day: string) => Hold[],
  freshness: Freshness = {},
  days = Array.from({ length: 30 }, (_, index) => index),
): number[] {
  let lastRun: Run | undefined;
  return days.filter((index) => {
    const day = addDays(start, index);
    const alerts = list({ day, lastRun, held: held(day), freshness });
    lastRun = { asOf: day, waits: held(day) } as unknown as Run;
    return alerts.some(isError);
  });
}

const hold = (id: string, since = start): Hold => {
  const command = `npx release-index accept ${id}`;
  return { id, component: 'svc', kind: 'loss', since, reason: 'lost', versions: ['1.0'], command };
};
const second = addDays(start, 3);
const withSecond = (day: string) => (day < second ? [hold('a')] : [hold('a'), hold('b', second)]);

test("a hold makes a run fail on the hold's first day, and once in each following week", () => {
  expect(listRedDays(withSecond)).toEqual([0, 3, 7, 10, 14, 17, 21, 24, 28]);
  expect(listRedDays(() => [hold('a')], {}, [0, 1, 6, 9, 13, 15])).toEqual([0, 9, 15]);
});

test('a hold of new versions that no source lists any more needs no decision, and ends by itself', () => {
  const release = { version: '1.0', sources: ['npm'] };
  const missing = { ...release, missingSince: start };
  const other = { ...release, version: '2.0' };
  const since = addDays(start, -7);
  const far: Hold = { ...hold('a', since), kind: 'outlier', reason: '1.0 is far above' };
  const read = (held: Hold, ...releases: RecordedRelease[]) => {
    const lastRun = { asOf: addDays(start, -1), waits: [held] } as unknown as Run;
    const [alert] = list({ lastRun, held: [held], recorded: new Map([['svc', { releases }]]) });
    return [isError(alert!), /accept a|ends by itself/.exec(alert!.message)?.[0]];
  };

  expect(read(far, missing, other)).toEqual([false, 'ends by itself']);
  expect(read(far, release, other)).toEqual([true, 'accept a']);
  expect(read({ ...far, versions: ['1.0', '2.0'] }, missing, other)).toEqual([true, 'accept a']);
  expect(read({ ...far, kind: 'loss' }, missing, other)[0]).toBe(true);
});

type SourceFreshness = Freshness[string][string];

const failing = (facts: Partial<SourceFreshness> = {}): SourceFreshness => {
  return { failingSince: start, reason: 'answered 503', ...facts };
};

test.for<[string, SourceFreshness, number[]]>([
  ['never answered', failing(), [0, 7, 14, 21, 28]],
  ['answered until the day before', failing({ answeredOn: '2026-05-31' }), [3, 10, 17, 24]],
  ['answers', { answeredOn: '2026-05-31' }, []],
  ['is postponed', { answeredOn: '2026-05-31', leftSince: start }, [3, 10, 17, 24]],
  ['was never asked', { leftSince: start }, [3, 10, 17, 24]],
  ['never answered, and is postponed', failing({ leftSince: second }), [0, 7, 14, 21, 28]],
])(
  'a source that %s makes runs fail only on the days when the alert about the source is due',
  ([, facts, expected]) => {
    expect(listRedDays(() => [], { svc: { 'npm:svc': facts } })).toEqual(expected);
  },
);

test.for<[title: string, facts: SourceFreshness, runs: number[], red: number[]]>([
  ['fails', failing({ answeredOn: '2026-05-22' }), [0, 1, 2, 8], [1, 8]],
  ['fails, with no runs on the weekend', failing({ answeredOn: '2026-05-29' }), [0, 1, 2], [1]],
  ['fails, and runs pause again', failing({ answeredOn: '2026-05-22' }), [0, 5], [5]],
  ['is postponed', { answeredOn: '2026-05-22', leftSince: start }, [0, 1], [1]],
])(
  'a source that %s makes only the second run after a pause of runs fail',
  ([, facts, ...days]) => {
    const [runs, red] = days;
    expect(listRedDays(() => [], { svc: { 'npm:svc': facts } }, runs)).toEqual(red);
  },
);

test('a hold ends without a decision if no source lists the held version any more', () => {
  const freshness = { svc: { npm: failing({ answeredOn: '2026-05-22' }) } };

  expect(list({ freshness })).toEqual([
    {
      subject: 'svc (npm)',
      message: 'failed today: answered 503. No run asked it after 2026-05-22.',
      level: 'warning',
    },
  ]);
});

test('one alert names all silent sources of a host', () => {
  const down = failing({ host: 'registry.example' });
  const before = addDays(start, -1);
  const lastRun = { asOf: before } as unknown as Run;
  const freshness = {
    a: { npm: { ...down, failingSince: before } },
    b: { npm: down },
    c: { npm: failing() },
  };

  // The alert about `a` was due on the day before, so it is not due again yet. `b` fails for the first time on this day, so the alert about
  // `b` is due. The joined alert has the subject of the alert that is due.
  expect(list({ freshness, lastRun })).toEqual([
    {
      subject: 'b (npm)',
      message: 'has never answered: answered 503. 1 more source of this host is silent: a (npm).',
    },
    {
      subject: 'c (npm)',
      message: 'has never answered: answered 503.',
    },
  ]);
});

const define = (onlyAdds?: true) => {
  const source = { datasource: 'npm', packageName: 'svc', onlyAdds } as const;
  return new Map([['svc', { title: 'Svc', sources: [source] } as Definition]]);
};

const long = '2025-01-31';
const yesterday = addDays(start, -1);
const sum = (count: number) =>
  `${count} of its 20 recorded releases in all. If its list is broken, report it to its maintainers.`;

// `missing`: the number of releases that went missing on each date. `waiting`: the number of these releases whose withdrawal is held.
test.each<[missing: Record<string, number>, waiting: number, message?: string]>([
  [{ [start]: 10 }, 0, `10 releases are missing today, ${sum(10)}`],
  [{ [start]: 9 }, 0],
  [{ [start]: 12 }, 3],
  [{ [long]: 12 }, 0],
  [{ [long]: 12, [start]: 3 }, 0, `3 releases are missing today, ${sum(15)}`],
  [{ [long]: 9, [start]: 1 }, 0, `1 release is missing today, ${sum(10)}`],
  [{ [yesterday]: 10 }, 0, `10 releases are withdrawn today, ${sum(10)}`],
  [
    { [yesterday]: 1, [start]: 9 },
    0,
    `9 releases are missing today, 1 release is withdrawn today, ${sum(10)}`,
  ],
])(
  'if releases are missing since %j, and %i of them are held, the alert is %j',
  (missing, waiting, message) => {
    const days = Object.entries(missing).flatMap(([day, count]) => Array<string>(count).fill(day));
    const releases = Array.from({ length: 20 }, (_, index): RecordedRelease => {
      const missingSince = days[index];
      const withdrawnSince =
        missingSince && missingSince < start ? addDays(missingSince, 1) : undefined;
      return { version: `1.${index}`, sources: ['npm:svc'], missingSince, withdrawnSince };
    });
    const withdrawnSince = releases.slice(0, waiting).map(({ version }) => version);
    const held = [{ ...hold('a'), taken: { withdrawnSince } }];
    const alerts = list({
      recorded: new Map([['svc', { releases }]]),
      definitions: define(),
      held,
    });

    expect(alerts.filter(({ subject }) => subject === 'svc (npm:svc)')).toEqual(
      message ? [{ subject: 'svc (npm:svc)', message, level: 'warning' }] : [],
    );
  },
);

test('releases that are missing in the list of a source with "onlyAdds" are not reported', () => {
  const releases = Array.from({ length: 20 }, (_, index) => ({
    ...{ version: `1.${index}`, sources: ['npm:svc'] },
    missingSince: start,
  }));
  const recorded = new Map([['svc', { releases }]]);

  expect(list({ recorded, definitions: define(true) })).toEqual([]);
});

test.each([
  [start, 1],
  ['2026-05-31', 0],
])('a run warns about an "ended" policy that ends on %s: %i warnings', (until, count) => {
  const definition = { sources: [], support: { policy: 'ended', until } } as unknown as Definition;

  const problems = list({ definitions: new Map([['svc', definition]]) });

  expect(problems).toEqual(
    Array.from({ length: count }, () => ({
      subject: 'components/svc.json',
      message: expect.stringMatching(/Keep the former policy, and add "until": "2026-06-01" to it/),
      level: 'warning',
    })),
  );
});
