import { findCertainDay } from '../../src/core/model/states.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { RecordedRelease, type RecordedData } from '../../src/core/schemas/recorded/recorded.ts';
import type { Judgement } from '../../src/decide/judge.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { definition } from './root.ts';

/** A recorded release, with the day it was published on, if that is known. */
export function release(
  version: string,
  at?: string,
  more: Partial<RecordedRelease> = {},
): RecordedRelease {
  return RecordedRelease.parse({
    version,
    ...(at !== undefined && { releaseTimestamp: at }),
    ...more,
  });
}

/** What a build of a day decides about recorded releases. */
export function judgeOn(
  day: string,
  recorded: readonly RecordedRelease[],
  about: Readonly<Record<string, unknown>> = {},
  lines: RecordedData['lines'] = [],
): Judgement {
  const read = FullDefinition.parse(definition(about));
  return judgeRecorded('svc', read, { releases: [...recorded], lines }, day).judgement;
}

export function deprecated({ releases }: Judgement): string[] {
  return releases.filter(({ isDeprecated }) => isDeprecated).map(({ version }) => version);
}

/** Why a version is deprecated, as a person reads it. */
export function reasonsOf({ releases }: Judgement, version: string): string[] {
  const found = releases.find((candidate) => candidate.version === version);
  return found!.because.map((reason) => {
    const day = findCertainDay(reason);
    return day === undefined ? reason.text : `${day}: ${reason.text}`;
  });
}
