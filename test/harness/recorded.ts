import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import type { merge } from '../../src/record/merge.ts';
import { selectAnswer } from '../../src/sources/answer.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';

export type Answer = Parameters<typeof merge>[0]['answers'][number];

/** Returns a recorded release that the source `a` lists. */
export function recordedRelease(
  version: string,
  values: Partial<RecordedRelease> = {},
): RecordedRelease {
  return {
    version,
    releaseTimestamp: '2026-01-01',
    timestampKind: 'published',
    firstSeen: '2026-01-01',
    sources: ['a'],
    ...values,
  };
}

export interface AnswerValues extends Partial<Parameters<typeof selectAnswer>[1]> {
  answeredOn?: string | undefined;
  isPartial?: boolean;
  deprecated?: string;
  isQuarantined?: boolean;
}

/** Returns the answer of a source that lists these releases. */
export function answerOf(
  source: string,
  listed: readonly (string | SourceRelease)[],
  { isPartial = false, answeredOn, deprecated, isQuarantined, ...selection }: AnswerValues = {},
): Answer {
  const releases = listed.map((each) => (typeof each === 'string' ? { version: each } : each));
  const stated = { releases, isPartial, deprecated, isQuarantined, notes: [] };
  const answer = selectAnswer(stated, { datasource: 'page', ...selection });
  return { ...answer, source, answeredOn };
}
