import { correctionFields, timestampKinds } from '../forms.ts';
import type { Correction, RecordedData, RecordedRelease } from '../recorded.ts';
import * as schemas from '../schemas.ts';
import { someText, day, flag, httpsUrl, line, listOf, oneOf, record, timestamp, version } from './rules.ts';

const isPlainCorrection = record<Correction>(['on', 'field', 'reason'], {
  on: day,
  field: oneOf(...correctionFields),
  from: someText,
  to: someText,
  reason: line,
});

export const isPlainRelease = record<RecordedRelease>(['version'], {
  version,
  releaseTimestamp: timestamp,
  timestampKind: oneOf(...timestampKinds),
  changelogUrl: httpsUrl,
  source: someText,
  alsoListedBy: listOf(someText, 1),
  firstSeen: day,
  deprecated: line,
  withdrawnSince: day,
  isPrerelease: flag,
  corrections: listOf(isPlainCorrection, 1),
});

/** What the schema makes of a document, or undefined where it finds fault; then ask the schema itself what is wrong. */
export function readRecordedData(input: unknown): RecordedData | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { releases, ...rest } = input as Partial<RecordedData>;
  if (!Array.isArray(releases) || Object.keys(rest).length > 0) return undefined;
  const read = releases.map((entry: unknown) =>
    isPlainRelease(entry) ? entry : schemas.recordedRelease().safeParse(entry).data,
  );
  return read.every((release) => release !== undefined) ? { releases: read } : undefined;
}
