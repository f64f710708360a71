import * as z from 'zod';
import { DaySchema, OneLine, RangeText, VersionText } from './scalars.ts';
import { documented, optionalKey } from './keys.ts';
import { HttpsUrl } from './urls.ts';

/** The least first. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;

/** An id begins with the name of its database; OSV adds further ones. `x_` is for private ids (github.com/ossf/osv-schema). */
const AdvisoryId = z
  .string()
  .max(100)
  .regex(/^(?:x_|[a-z]*[A-Z][A-Za-z0-9]*-)[\w.:-]+$/, {
    error: 'expected the id of a database, such as CVE-2026-1234, or one that begins with x_',
  });

export const maxAdvisoryAliases = 20;
export const maxFixedVersions = 1000;

/** A published vulnerability, with the versions that it affects and the versions that fix it. */
export const Advisory = z.strictObject({
  id: documented(
    AdvisoryId,
    'Its id in a database; one of your own begins with x_.',
    'CVE-2026-1234',
  ),
  aliases: optionalKey(
    z.array(AdvisoryId).min(1).max(maxAdvisoryAliases),
    'Its ids in other databases. Advisories that share an id are one.',
    ['GHSA-7p2q-4c8x-9m3w'],
  ),
  affected: documented(
    RangeText,
    'The affected versions: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches.',
    '>=2026.1 <2026.2.1',
  ),
  fixed: optionalKey(
    z.array(VersionText).min(1).max(maxFixedVersions),
    'The first versions without it; absent where there is none.',
    ['2026.2.1'],
  ),
  severity: optionalKey(z.enum(severities), 'The severity, if it is stated.', 'high'),
  summary: optionalKey(
    OneLine,
    'The vulnerability, in a sentence.',
    'Reads files outside its folder.',
  ),
  url: optionalKey(
    HttpsUrl,
    'The address of further information.',
    'https://example.com/advisories/1',
  ),
  published: optionalKey(DaySchema, 'The day on which it was published.', '2026-01-31'),
  exploitedSince: optionalKey(DaySchema, 'Since when it is exploited.', '2026-11-03'),
  dueBy: optionalKey(DaySchema, 'The day by which a fix is due.', '2026-11-24'),
});
export type Advisory = z.infer<typeof Advisory>;

/** Whether it is exploited, and by when to fix it. */
export type Exploitation = Pick<Advisory, 'exploitedSince' | 'dueBy'>;
