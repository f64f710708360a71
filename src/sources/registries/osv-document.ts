/** Reads documents of OSV as advisories: ossf.github.io/osv-schema */
import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { normaliseName } from '../../core/purl.ts';
import { Advisory, severities } from '../../core/schema/advisory.ts';
import { DaySchema, HttpsUrl } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { Affected, formatRange, listFixed } from '../affected-range.ts';
import { anyText } from '../documents.ts';
import type { SourceContext } from '../types.ts';

/** CVSS vectors, or words that a database defines. */
const Severities = z.array(z.object({ type: z.string(), score: z.string() })).catch([]);

/** An unreadable text, link or rating costs no advisory. */
export const OsvDocument = z.object({
  id: Advisory.shape.id,
  aliases: z.array(Advisory.shape.id.optional().catch(undefined)).catch([]),
  published: anyText,
  withdrawn: z.string().nullish(),
  summary: anyText,
  affected: z.array(Affected.extend({ severity: Severities })).nullish(),
  severity: Severities,
  references: z.array(z.object({ url: anyText })).catch([]),
  database_specific: z.object({ severity: anyText }).catch({ severity: undefined }),
});
export type OsvDocument = z.infer<typeof OsvDocument>;

const maxAliases = 20;
const maxFixed = 1000;

/** What a document says of these packages; undefined if it is withdrawn, or about others. */
export function readAdvisory(
  document: OsvDocument,
  packages: SourceContext['packages'],
): Advisory | undefined {
  const { id, summary, published, references } = document;
  const affected = (document.affected ?? []).filter((entry) => {
    return packages.some((subject) => isAbout(entry, subject));
  });
  if (document.withdrawn || affected.length === 0) {
    return undefined;
  }

  const aliases = new Set(document.aliases.filter((alias) => alias !== undefined));
  aliases.delete(id);
  const fixed = listFixed(affected);
  const advisory: Advisory = {
    id,
    aliases: aliases.size > 0 ? [...aliases].sort().slice(0, maxAliases) : undefined,
    affected: formatRange(affected),
    fixed: fixed.length > 0 ? fixed.slice(0, maxFixed) : undefined,
    severity: rate(document, affected),
    summary: (summary && toLine(summary)) || undefined,
    url: references.find(({ url }) => HttpsUrl.safeParse(url).success)?.url,
    published: DaySchema.safeParse(published?.slice(0, 10)).data,
  };
  // Without its absent values: another statement on the advisory may have them.
  return JSON.parse(JSON.stringify(advisory));
}

function isAbout(
  { package: named }: Affected,
  { ecosystem, name }: SourceContext['packages'][number],
): boolean {
  // It may have a version: `Debian:12`.
  const [stated] = named?.ecosystem.split(':') ?? [];
  const spell = (text = '') => spellName(ecosystem, text);
  return stated === ecosystem && spell(named?.name) === spell(name);
}

/** Equal for all spellings of a package. In the other ecosystems, it has one. */
function spellName(ecosystem: string, name: string): string {
  const type = { PyPI: 'pypi', NuGet: 'nuget' }[ecosystem];
  return type === undefined ? name : normaliseName(type, name);
}

/** The database's own word, else the highest rating by the newest version of CVSS, else the highest of all. */
function rate(
  { severity, database_specific: specific }: OsvDocument,
  affected: readonly Pick<OsvDocument, 'severity'>[],
) {
  const stated = [...severity, ...affected.flatMap((entry) => entry.severity)];
  const byVersion = ['CVSS_V4', 'CVSS_V3'].map((version) =>
    stated.filter(({ type }) => type === version),
  );
  const scores = byVersion.find((list) => list.length > 0) ?? stated;
  const computed = scores.map(({ score }) => readScore(score));
  const words = specific.severity ? [specific.severity] : computed;
  const ratings = words.map((word) => word.toLowerCase().replace('moderate', 'medium'));
  return severities.findLast((rating) => ratings.includes(rating));
}

/** `CVSS:3.1/AV:N/AC:L…`. The library prints an error for any other text. */
function readScore(score: string): string {
  const isVector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/.test(score);
  return isVector ? String(cvss.fromVector(score)?.createJsonSchema()['baseSeverity']) : score;
}
