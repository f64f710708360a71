import { expect, test } from 'vitest';
import { release } from '../../harness/judging.ts';
import { answer, changesOf, entryOf, merge } from '../../harness/merging.ts';

const day = '2026-06-01';

const recorded = ['1.0', '1.1', '1.2'].map((version) =>
  release(version, '2025-01-01', { source: 'npm:x' }),
);
const missing = { '1.0': '2026-05-31', '1.1': '2026-05-31' };

test('a version that upstream no longer lists is missing on the first day, and withdrawn on the second', () => {
  const first = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { day: '2026-05-31' });

  expect(first.releases).toEqual(recorded);
  expect(first.missing).toEqual({ '1.1': '2026-05-31' });
  expect(first.findings.map(({ message }) => message)).toEqual([
    'no source lists 1.1 any more. A version that is still missing on a later day is withdrawn.',
  ]);

  const merged = merge(first.releases, [answer('npm:x', ['1.0', '1.2'])], {
    missing: first.missing,
  });

  expect(entryOf(merged, '1.1')).toEqual({ ...recorded[1], withdrawnSince: day });
  expect(changesOf(merged)).toEqual(['1.1 withdrawn: npm:x no longer lists it']);
});

test('a version that upstream no longer lists is not withdrawn if it was listed again in between', () => {
  const away = answer('npm:x', ['1.0', '1.2']);
  const first = merge(recorded, [away], { day: '2026-05-30' });
  const back = merge(first.releases, [answer('npm:x', ['1.0', '1.1', '1.2'])], first);
  const again = merge(back.releases, [away], { missing: back.missing });

  expect([again.releases, again.missing]).toEqual([recorded, { '1.1': day }]);
});

test('a version that upstream no longer lists returns when a source lists it again', () => {
  const once = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { missing });

  const back = merge(once.releases, [answer('npm:x', ['1.0', '1.1', '1.2'])], {
    day: '2026-07-01',
  });

  expect(entryOf(back, '1.1')).toEqual(recorded[1]);
  expect(changesOf(back)).toEqual(['1.1 returned: npm:x lists it again']);
});

test('a retired component loses no release to a list that shrinks', () => {
  const gone = answer('npm:x', ['1.0']);

  const merged = merge(recorded, [gone], { missing, isRetired: true });

  expect(merged).toMatchObject({ releases: recorded, missing: {}, changes: [], findings: [] });
});

test('a retired component loses releases only to a short list that a person accepts, until they are listed again', () => {
  const accepted = answer('npm:x', ['1.0'], { isAccepted: true });

  const merged = merge(recorded, [accepted], { isRetired: true });
  const back = merge(merged.releases, [answer('npm:x', ['1.0', '1.1', '1.2'])], {
    isRetired: true,
    day: '2026-07-01',
  });

  expect(merged.withdrawnByDecision).toEqual(['1.1', '1.2']);
  expect(back.releases).toEqual(recorded);
});

test('versions that upstream no longer lists are reported in their order', () => {
  const versions = ['1.10', '1.9'].map((version) =>
    release(version, '2025-01-01', { source: 'npm:x' }),
  );

  const merged = merge(versions, [answer('npm:x', ['2.0'])]);

  expect(merged.findings[0]!.message).toMatch(/^no source lists 1\.9, 1\.10 any more/);
});

test('a source that has left the definition does not take the place of one whose short list was accepted', () => {
  const ofThree = [{ ...recorded[0]!, alsoListedBy: ['npm:gone', 'npm:y'] }];
  const accepted = answer('npm:x', ['2.0'], { isAccepted: true });

  const merged = merge(ofThree, [accepted, answer('npm:y', ['1.0'])]);

  expect(entryOf(merged, '1.0')).toMatchObject({ source: 'npm:y', alsoListedBy: ['npm:gone'] });
});

test('a version that upstream no longer lists returns even if the definition no longer admits it', () => {
  const once = merge(recorded, [answer('npm:x', ['1.0', '1.2'])], { missing });
  const all = answer('npm:x', ['1.0', '1.1', '1.2']);

  const back = merge(once.releases, [{ ...all, releases: [] }]);

  expect(entryOf(back, '1.1')).not.toHaveProperty('withdrawnSince');
});

test('a listed version is not withdrawn even if the definition no longer admits it', () => {
  const all = answer('npm:x', ['1.0', '1.1', '1.2']);

  expect(merge(recorded, [{ ...all, releases: [] }]).releases).toEqual(recorded);
});

test('a version is not withdrawn while one of its sources lists it, or does not answer', () => {
  const two = [{ ...recorded[0]!, alsoListedBy: ['maven:g:a'] }];
  const sources = ['npm:x', 'maven:g:a'];
  const gone = answer('npm:x', ['2.0']);

  const listed = merge(two, [gone, answer('maven:g:a', ['1.0'])], { sources, missing });
  const failed = merge(two, [gone], { sources, missing: { '1.0': '2026-05-31' } });
  const neither = merge(two, [gone, answer('maven:g:a', ['2.0'])], { sources, missing });

  expect(entryOf(listed, '1.0')).not.toHaveProperty('withdrawnSince');
  expect(entryOf(failed, '1.0')).not.toHaveProperty('withdrawnSince');
  expect([listed.missing, failed.missing]).toEqual([{}, { '1.0': '2026-05-31' }]);
  expect(entryOf(neither, '1.0')).toHaveProperty('withdrawnSince', day);
  const removed = merge(two, [gone], { missing });
  expect(entryOf(removed, '1.0')).toHaveProperty('withdrawnSince', day);
  const onPage = [{ ...recorded[0]!, alsoListedBy: ['page:x'] }];
  const nowhere = merge(onPage, [gone, answer('page:x', ['2.0'])], { missing });
  expect(entryOf(nowhere, '1.0')).toHaveProperty('withdrawnSince', day);
});

test.each([['page:https://example.com/'], [undefined]])(
  'a version that upstream no longer lists is never withdrawn if it is of %s',
  (source) => {
    const kept = [release('1.0', '2025-01-01', source === undefined ? {} : { source })];

    expect(merge(kept, [answer(source ?? 'npm:x', ['2.0'])], { missing }).releases).toContainEqual(
      kept[0],
    );
  },
);
