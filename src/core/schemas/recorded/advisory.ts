import * as z from 'zod';
import { documented } from '../documented.ts';
import { HttpsUrl } from '../definition/links.ts';
import { DaySchema, Line, VersionText } from '../scalars.ts';
import { RangeText } from './selected-versions.ts';

/** The least first. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;

/** The databases whose ids OSV accepts (github.com/ossf/osv-schema); `x_` is for private ids. */
const databases =
  'ASB-A|PUB-A|ALPINE|ALSA|ALBA|ALEA|AZL|BELL|BIT|CGA|CLEANSTART|CLSA|CURL|CVE|DEBIAN|DHI|DRUPAL|DSA|DLA|ELA|DTSA|ECHO|EEF|FreeBSD|GHSA|GO|GSD|HSEC|JLSEC|KUBE|LBSEC|LSN|MAL|MINI|MGASA|OESA|OSEC|OSV|openSUSE-SU|PHSA|PSF|PYSEC|RHBA|RHEA|RHSA|RLSA|RXSA|RSEC|ROOT|RUSTSEC|SUSE-[SRFO]U|UBUNTU|USN|V8';

const AdvisoryId = z
  .string()
  .max(100)
  .regex(new RegExp(`^(?:x_|(?:${databases})-)[\\w.-]+$`), {
    error:
      'expected the id of a database that OSV knows, such as CVE-2026-1234, or one that begins with x_',
  });

/** A published vulnerability, with the versions that it affects and the versions that fix it. */
export const Advisory = z.strictObject({
  id: documented(
    AdvisoryId,
    'Its id in a database that OSV knows; one of your own begins with x_.',
    'CVE-2026-1234',
  ),
  aliases: documented(
    z.array(AdvisoryId).min(1).max(20).optional(),
    'Its ids in other databases. Advisories that share an id are one.',
    ['GHSA-7p2q-4c8x-9m3w'],
  ),
  affected: documented(
    RangeText,
    'The affected versions: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches.',
    '>=2026.1 <2026.2.1',
  ),
  fixed: documented(
    z.array(VersionText).min(1).max(1000).optional(),
    'The first versions without it; absent where there is none.',
    ['2026.2.1'],
  ),
  severity: documented(z.enum(severities).optional(), 'The severity, if it is stated.', 'high'),
  summary: documented(
    Line.optional(),
    'The vulnerability, in a sentence.',
    'Reads files outside its folder.',
  ),
  url: documented(
    HttpsUrl.optional(),
    'The address of further information.',
    'https://example.com/advisories/1',
  ),
  published: documented(DaySchema.optional(), 'The day on which it was published.', '2026-01-31'),
  exploitedSince: documented(DaySchema.optional(), 'Since when it is exploited.', '2026-11-03'),
  dueBy: documented(DaySchema.optional(), 'The day by which a fix is due.', '2026-11-24'),
});
export type Advisory = z.infer<typeof Advisory>;

/** Whether it is exploited, and by when to fix it. */
export type Exploitation = Pick<Advisory, 'exploitedSince' | 'dueBy'>;
