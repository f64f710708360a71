import { expect, test } from 'vitest';
import type { Hold } from '../../src/core/schema/recorded.ts';
import { areMissing, createHold, describeHold, type GateInput } from '../../src/record/holds.ts';
import { recordedRelease } from '../harness/recorded.ts';

const hold: Hold = {
  id: 'svc-1b4e28ba7c',
  component: 'svc',
  kind: 'loss',
  since: '2026-11-10',
  reason: 'x',
  versions: ['1.0', '1.1'],
  command: 'npx release-index accept svc-1b4e28ba7c',
};

/** Creates a hold on 20 November. `held`: the holds of the last run. */
const create = (kind: Hold['kind'], versions: string[], held: readonly Hold[] = []) =>
  createHold({ component: 'svc', held, day: '2026-11-20' } as unknown as GateInput, kind, {
    versions,
    reason: 'y',
  });

test('a hold that shares a version with one of the same kind keeps its id and first day', () => {
  expect(create('loss', ['1.1', '1.2'], [hold])).toEqual({
    ...hold,
    reason: 'y',
    versions: ['1.1', '1.2'],
  });
});

test.each<[string, Hold['kind'], versions: string[]]>([
  ['other versions', 'loss', ['1.2']],
  ['another kind', 'outlier', ['1.0']],
])('a hold of %s gets an id of its own', (_, kind, versions) => {
  const { id, since, command } = create(kind, versions, [hold]);

  expect(since).toBe('2026-11-20');
  expect(id).toMatch(/^svc-[0-9a-f]{10}$/);
  expect(id).not.toBe(hold.id);
  expect(command).toBe(`npx release-index accept ${id}`);
});

test('the id of a hold depends on its kind and versions only', () => {
  const ids = [
    create('loss', ['1.0', '1.1']),
    create('flood', ['1.0', '1.1']),
    create('loss', ['1.0']),
  ];

  expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  expect(create('loss', ['1.0', '1.1']).id).toBe(ids[0]!.id);
});

const recorded = (...missing: (string | undefined)[]) => ({
  releases: missing.map((missingSince, place) => recordedRelease(`1.${place}`, { missingSince })),
});

test.each<[Hold['kind'], ReturnType<typeof recorded> | undefined, boolean]>([
  ['outlier', recorded('2026-11-20', '2026-11-20'), true],
  ['flood', recorded('2026-11-20', '2026-11-20'), true],
  ['outlier', recorded('2026-11-20', undefined), false],
  ['outlier', undefined, false],
  ['loss', recorded('2026-11-20', '2026-11-20'), false],
])('the versions of a hold of kind "%s" are missing today: case %#', (kind, data, expected) => {
  expect(areMissing({ ...hold, kind }, data)).toBe(expected);
});

const start = 'held since 2026-11-10: x (1.0, 1.1). ';
const end = `: ${hold.command}`;
const lines = [{ line: '1', until: '2027-01-01' }] as unknown as Hold['lines'];

test.each<[Partial<Hold>, words: string]>([
  [
    {},
    'If upstream made a mistake, wait until it is corrected: the hold then ends by itself. If the change is right',
  ],
  [
    { kind: 'outlier' },
    'If these are not releases, exclude them with "allowedVersions" in the source. If the change is right',
  ],
  [
    { taken: { malware: ['1.0'] } },
    'If the advisory is wrong, add "ignoreAdvisories" to the definition. If the change is right',
  ],
  [
    { taken: { malware: [] } },
    'If upstream made a mistake, wait until it is corrected: the hold then ends by itself. If the change is right',
  ],
  [
    { lines },
    'If an end is wrong, wait until the source corrects it: the hold then ends by itself. If the source stays as it is, waiting does not end the hold. If the change is right',
  ],
  [
    { lines, taken: { deprecated: ['1.0'] } },
    'If upstream made a mistake, wait until it is corrected: the hold then ends by itself. If the change is right',
  ],
  [
    { lines, isReturn: true },
    'Readers had this end in the last 30 days. If the source gives the same on the next day, the change takes effect by itself. If the source takes it back, the hold ends. To accept it now',
  ],
])('a hold with %j says what ends it', (keys, words) => {
  expect(describeHold({ ...hold, ...keys })).toBe(`${start}${words}${end}`);
});

test('a hold of several ends names them in the plural', () => {
  const two = [...lines!, ...lines!];

  expect(describeHold({ ...hold, lines: two, isReturn: true })).toContain('Readers had these ends');
});

test('a hold of versions that are missing today says that it ends by itself', () => {
  const missing = recorded('2026-11-20', '2026-11-20');

  expect(describeHold({ ...hold, kind: 'outlier' }, missing)).toBe(
    `${start}No source lists them today. If that stays so on the next day, the hold ends by itself`,
  );
});
