import type { Correction, RecordedData, RecordedRelease } from '../recorded.ts';
import * as schemas from '../schemas.ts';
import { someText, day, flag, httpsUrl, line, listOf, oneOf, record, timestamp, version } from './rules.ts';

const isPlainCorrection = record<Correction>(['on', 'field', 'reason'], {
  on: day,
  field: oneOf(
    'releaseTimestamp',
    'timestampKind',
    'changelogUrl',
    'deprecated',
    'withdrawnSince',
    'isPrerelease',
    'source',
  ),
  from: someText,
  to: someText,
  reason: line,
});

export const isPlainRelease = record<RecordedRelease>(['version'], {
  version,
  releaseTimestamp: timestamp,
  timestampKind: oneOf('published', 'observed'),
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
  if (releases.every(isPlainRelease)) return { releases };
  const read: RecordedRelease[] = [];
  for (const entry of releases as unknown[]) {
    const release = isPlainRelease(entry) ? entry : schemas.recordedRelease().safeParse(entry).data;
    if (!release) return undefined;
    read.push(release);
  }
  return { releases: read };
}
