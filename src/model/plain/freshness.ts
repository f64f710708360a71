import type { Freshness, SourceFreshness } from '../freshness.ts';
import { day, integerUpTo, line, listOf, mapOf, record, version } from './rules.ts';

const isPlainSourceFreshness = record<SourceFreshness>([], {
  answeredOn: day,
  failures: integerUpTo(Number.MAX_SAFE_INTEGER),
  failedOn: day,
  reason: line,
  heldSince: day,
  pending: listOf(version, 1),
});

export const isPlainFreshness = record<Freshness>(['sources'], {
  checkedOn: day,
  changedOn: day,
  sources: mapOf(() => true, isPlainSourceFreshness),
});
