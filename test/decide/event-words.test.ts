import { expect, test } from 'vitest';
import type { EventType, JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { describeSize, describeEvent, describeMany } from '../../src/decide/event-words.ts';

const at = '2026-06-01T04:00:00Z';
const reason = 'Loses data';
const own = { phase: 'security', phases: ['active', 'security', 'extended (paid)'] };

test.each<[Partial<JournalEvent> & { type: EventType }, string]>([
  [{ type: 'released', version: '1.0', on: '2026-05-01' }, '1.0 was released on 2026-05-01.'],
  [
    { type: 'released', version: '1.0', on: '2026-05-01', timestampKind: 'observed' },
    '1.0 was released no later than 2026-05-01.',
  ],
  [{ type: 'deprecated', version: '1.0', reason }, '1.0 is deprecated: Loses data.'],
  [{ type: 'deprecated', line: '1.0' }, 'release line 1.0 is deprecated.'],
  [{ type: 'restored', version: '1.0' }, '1.0 is no longer deprecated.'],
  [{ type: 'withdrawn', version: '1.0', reason }, '1.0 was withdrawn: Loses data.'],
  [{ type: 'relisted', version: '1.0' }, '1.0 is listed again.'],
  [{ type: 'excluded', version: '1.0' }, '1.0 was left out.'],
  [{ type: 'included', version: '1.0' }, '1.0 is in the index again.'],
  [
    { type: 'corrected', version: '1.0', field: 'releaseTimestamp', to: '2026-05-01' },
    '1.0: the release day was not known and is 2026-05-01 now.',
  ],
  [
    { type: 'corrected', version: '1.0', field: 'timestampKind', from: 'observed', to: 'created' },
    '1.0: the kind of the release day was observed and is created now.',
  ],
  [
    { type: 'corrected', version: '1.0', field: 'changelogUrl', from: 'a', to: 'b', reason },
    '1.0: the changelog link was a and is b now: Loses data.',
  ],
  [
    { type: 'corrected', version: '1.0', field: 'isPrerelease', from: 'true', to: 'false' },
    '1.0: the prerelease flag was true and is false now.',
  ],
  [
    { type: 'corrected', version: '1.0', field: 'line', from: '1', to: '1.0' },
    '1.0: the release line was 1 and is 1.0 now.',
  ],
  [
    { type: 'republished', version: '1.0', from: 'sha256:a', to: 'sha256:b' },
    '1.0 was republished: sha256:a before, sha256:b now.',
  ],
  [{ type: 'renamed', from: 'cache', to: 'edge' }, 'cache is called edge now.'],
  [{ type: 'replaced', from: 'cache', to: 'edge' }, 'Replaced by edge.'],
  [{ type: 'replaced', from: 'edge' }, 'No longer replaced by edge.'],
  [
    { type: 'advisory-published', advisory: 'CVE-2026-1', to: '<1.2', reason },
    'CVE-2026-1 affects <1.2: Loses data.',
  ],
  [
    { type: 'advisory-changed', advisory: 'CVE-2026-1', to: '<1.3' },
    'CVE-2026-1 now affects <1.3.',
  ],
  [{ type: 'advisory-withdrawn', advisory: 'CVE-2026-1' }, 'CVE-2026-1 was withdrawn.'],
  [
    { type: 'support-announced', line: '1.0', to: '2026-12-31' },
    'Support of release line 1.0 ends on 2026-12-31.',
  ],
  [
    { type: 'support-announced', line: '1.0', to: '2026-05-31' },
    'Support of release line 1.0 ended on 2026-05-31.',
  ],
  [
    { type: 'support-moved', line: '1.0', from: '2026-09-30', to: '2026-12-31', ...own },
    'Phase security of release line 1.0 ends on 2026-12-31, instead of 2026-09-30.',
  ],
  [
    { type: 'support-announced', line: '1.0', to: '2026-12-31', ...own, phase: 'extended' },
    'Phase extended (paid) of release line 1.0 ends on 2026-12-31.',
  ],
  [
    { type: 'support-ending', line: '1.0', on: '2026-08-30', to: '2026-08-30', days: 90 },
    'Support of release line 1.0 ends on 2026-08-30, in 90 days or less.',
  ],
  [
    {
      ...{ type: 'support-ending', line: '1.0', on: '2026-08-30', to: '2026-08-30', days: 90 },
      reason: '2025-02-28, by the vendor; 18 months, inferred',
    },
    'Support of release line 1.0 ends on 2026-08-30 (inferred), in 90 days or less.',
  ],
  [
    {
      ...{ type: 'support-ending', line: '1.0', on: '2026-08-30', to: '2026-08-30', days: 90 },
      reason:
        '2025-02-28, by the vendor; 18 months, inferred; extended to 2026-08-30, by example.com',
    },
    'Support of release line 1.0 ends on 2026-08-30, in 90 days or less.',
  ],
  [
    {
      ...{ type: 'support-ending', line: '1.0', on: '2026-08-30', to: '2026-08-30', days: 90 },
      reason: 'Inferred: No release for two years.',
    },
    'Support of release line 1.0 ends on 2026-08-30 (inferred), in 90 days or less.',
  ],
  [
    {
      ...{ type: 'support-ending', line: '1.0', on: '2026-08-30', to: '2026-08-30', days: 90 },
      reason: 'Inferred: No release for two years. Extended to 2026-08-30, by example.com.',
    },
    'Support of release line 1.0 ends on 2026-08-30, in 90 days or less.',
  ],
  [
    { type: 'support-ending', line: '1.0', on: '2026-08-30', toAtMost: '2026-09-30', days: 90 },
    'Support of release line 1.0 may end on 2026-08-30, in 90 days or less.',
  ],
  [
    { type: 'support-ended', line: '1.0', on: '2026-05-31', toAtMost: '2026-05-31' },
    'Support of release line 1.0 ended no later than 2026-05-31.',
  ],
  [
    { type: 'support-announced', line: '1.0', to: '2026-08-30', toAtMost: '2026-09-30' },
    'Support of release line 1.0 ends between 2026-08-30 and 2026-09-30.',
  ],
  [
    { type: 'support-ended', line: '1.0', on: '2026-05-31', to: '2026-05-31', reason },
    'Support of release line 1.0 ended on 2026-05-31: Loses data.',
  ],
  [
    { type: 'support-dropped', line: '1.0', from: '2026-12-31' },
    'Support of release line 1.0 no longer has a stated end; it was 2026-12-31.',
  ],
  [{ type: 'support-dropped', line: '1.0' }, 'Support of release line 1.0 goes on.'],
])('the event %j is told in a sentence', (event, words) => {
  expect(describeEvent({ at, ...event } as JournalEvent)).toBe(words);
});

test.each<[EventType, string]>([
  ['released', '2 releases were added: 1.0, 1.1.'],
  ['deprecated', '2 releases are deprecated: 1.0, 1.1.'],
  ['restored', '2 releases are no longer deprecated: 1.0, 1.1.'],
  ['withdrawn', '2 releases were withdrawn: 1.0, 1.1.'],
  ['relisted', '2 releases are listed again: 1.0, 1.1.'],
  ['excluded', '2 releases were left out: 1.0, 1.1.'],
  ['included', '2 releases are in the index again: 1.0, 1.1.'],
  ['corrected', '2 releases were corrected: 1.0, 1.1.'],
  ['republished', '2 releases were republished under the same version: 1.0, 1.1.'],
  ['advisory-published', '2 advisories were published: 1.0, 1.1.'],
  ['advisory-changed', '2 advisories have changed: 1.0, 1.1.'],
  ['advisory-withdrawn', '2 advisories were withdrawn: 1.0, 1.1.'],
  ['support-announced', '2 releases have an end of support: 1.0, 1.1.'],
  ['support-moved', '2 releases have another end of support: 1.0, 1.1.'],
  ['support-dropped', '2 releases have no stated end of support any more: 1.0, 1.1.'],
  ['support-ending', '2 releases end their support soon: 1.0, 1.1.'],
  ['support-ended', '2 releases are out of support: 1.0, 1.1.'],
  ['renamed', '2 releases changed: 1.0, 1.1.'],
])('many events of the type %s are told in a sentence', (type, words) => {
  expect(describeMany(type, describeSize(type, 2, 'release'), '1.0, 1.1')).toBe(words);
});

test('many events without names are told by their number alone', () => {
  expect(describeMany('released', '2 releases', '')).toBe('2 releases were added.');
});

test.each([
  [1, '1 advisory'],
  [2340, '2,340 advisories'],
])('%i advisories are a number in words', (count, words) => {
  expect(describeSize('advisory-published', count, 'release')).toBe(words);
});
