import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { normaliseName } from '../../core/purl.ts';
import { Advisory, severities } from '../../core/schema/advisory.ts';
import { DaySchema, HttpsUrl } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { Affected, formatRange, listFixed, Severities } from '../affected-range.ts';
import { anyText, parseJson } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { readEntries } from '../read-releases.ts';
import { fetchJson, fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

/** ossf.github.io/osv-schema. An unreadable text, link or rating costs no advisory. */
const Document = z.object({
  id: Advisory.shape.id,
  aliases: z.array(Advisory.shape.id.optional().catch(undefined)).nullish().catch(null),
  published: anyText,
  withdrawn: z.string().nullish(),
  summary: anyText,
  affected: z.array(Affected).nullish(),
  severity: Severities,
  references: z
    .array(z.object({ url: anyText }))
    .nullish()
    .catch(null),
  database_specific: z.object({ severity: anyText }).nullish().catch(null),
});
type Document = z.infer<typeof Document>;

const Page = z.object({
  vulns: z.array(z.unknown()).nullish(),
  next_page_token: z.string().nullish(),
});

/** Every release is compared with each advisory. */
const maxAdvisories = 1000;
const maxAliases = 20;
const maxFixed = 1000;

interface OsvSource {
  /** An OSV document or an array of them; without it, OSV's API is asked about the packages of the other sources. */
  url?: string | undefined;
  registryUrl?: string | undefined;
}

/** Advisories on the packages of the other sources. */
export const osv: Datasource<OsvSource> = {
  async list(source, context) {
    const { values, notes } = await (source.url === undefined
      ? askApi(source, context)
      : fetchDocuments(source.url, context));
    const advisories = new Map<string, Advisory>();
    const withdrawnAdvisories: string[] = [];
    for (const document of values) {
      const affected = findAffected(document, context);
      if (document.withdrawn || affected.length === 0) {
        withdrawnAdvisories.push(document.id);
      } else {
        advisories.set(document.id, createAdvisory(document, affected));
      }
    }

    return {
      releases: [],
      advisories: [...advisories.values()].slice(0, maxAdvisories),
      // Another document with the same id may be about other packages.
      withdrawnAdvisories: withdrawnAdvisories.filter((id) => !advisories.has(id)),
      notes,
      isPartial: notes.length > 0,
    };
  },
};

async function fetchDocuments(url: string, { http }: SourceContext) {
  const response = await http.fetch({ url });
  return readDocuments(url, [parseJson(response)].flat());
}

/** An empty list is sound: there is no advisory. */
function readDocuments(url: string, documents: readonly unknown[]) {
  return documents.length > 0 ? readEntries(url, documents, Document) : { values: [], notes: [] };
}

async function askApi(
  { registryUrl = 'https://api.osv.dev/' }: OsvSource,
  { http, packages, recorded }: SourceContext,
) {
  if (packages.length === 0) {
    throw new SourceError('osv: the other sources have no package of an ecosystem that OSV knows');
  }

  const url = joinUrl(registryUrl, ['v1', 'query']);
  // Those of each package: google.github.io/osv.dev/post-v1-query. Withdrawn ones are not listed.
  const pages = await Promise.all(
    packages.map((subject) => {
      const createBody = (page_token?: string) => JSON.stringify({ package: subject, page_token });
      const headers = { 'content-type': 'application/json' };
      const first = { method: 'POST', url, body: createBody(), headers } as const;
      return fetchPages(http, first, Page, (_, { next_page_token: token }) =>
        token ? { body: createBody(token) } : undefined,
      );
    }),
  );
  const vulnerabilities = pages.flat().flatMap(({ vulns }) => vulns ?? []);
  const { values: listed, notes } = readDocuments(url, vulnerabilities);

  // What became of recorded advisories that are no longer listed: google.github.io/osv.dev/get-v1-vulns. Those of a catalogue do not say
  // what they affect.
  const ids = new Set(listed.map(({ id }) => id));
  const missing = (recorded?.advisories ?? []).filter(
    ({ id, affected }) => affected !== undefined && !ids.has(id),
  );
  // An advisory that cannot be read, or is of another source, stays.
  const others = await Promise.all(
    missing.map(({ id }) =>
      fetchJson(http, { url: joinUrl(registryUrl, ['v1', 'vulns', id]) }, Document).catch(
        () => undefined,
      ),
    ),
  );
  return { values: [...listed, ...others.filter((document) => document !== undefined)], notes };
}

function findAffected({ affected }: Document, { packages }: SourceContext): Affected[] {
  const keys = new Set(packages.map(({ ecosystem, name }) => createKey(ecosystem, name)));
  return (affected ?? []).filter(({ package: subject }) => {
    const [ecosystem = ''] = subject?.ecosystem.split(':') ?? [];
    return subject && keys.has(createKey(ecosystem, subject.name));
  });
}

/** Equal for all spellings of a package. In the other ecosystems, it has one. */
function createKey(ecosystem: string, name: string): string {
  const type = { PyPI: 'pypi', NuGet: 'nuget' }[ecosystem];
  return `${ecosystem} ${type === undefined ? name : normaliseName(type, name)}`;
}

function createAdvisory(document: Document, affected: readonly Affected[]): Advisory {
  const { id, summary, published, references } = document;
  const others = (document.aliases ?? []).filter((alias) => alias !== undefined);
  const aliases = [...new Set(others)].filter((alias) => alias !== id).sort();
  const fixed = listFixed(affected);
  const stated: Advisory = {
    id,
    aliases: aliases.length > 0 ? aliases.slice(0, maxAliases) : undefined,
    affected: formatRange(affected),
    fixed: fixed.length > 0 ? fixed.slice(0, maxFixed) : undefined,
    severity: rate(document, affected),
    summary: (summary && toLine(summary)) || undefined,
    url: references?.find(({ url }) => HttpsUrl.safeParse(url).success)?.url,
    published: DaySchema.safeParse(published?.slice(0, 10)).data,
  };
  // Without its absent values: another statement on the advisory may have them.
  return JSON.parse(JSON.stringify(stated));
}

/** The database's own word, else the highest rating by the newest version of CVSS, else the highest of all. */
function rate({ severity, database_specific: specific }: Document, affected: readonly Affected[]) {
  const stated = [...(severity ?? []), ...affected.flatMap((entry) => entry.severity ?? [])];
  const byVersion = ['CVSS_V4', 'CVSS_V3'].map((version) =>
    stated.filter(({ type }) => type === version),
  );
  const scores = byVersion.find((list) => list.length > 0) ?? stated;
  const computed = scores.map(({ score }) => readScore(score));
  const words = specific?.severity ? [specific.severity] : computed;
  const ratings = words.map((word) => word.toLowerCase().replace('moderate', 'medium'));
  return severities.findLast((rating) => ratings.includes(rating));
}

/** `CVSS:3.1/AV:N/AC:L…`. The library prints an error for any other text. */
function readScore(score: string): string {
  const isVector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/.test(score);
  return isVector ? String(cvss.fromVector(score)?.createJsonSchema()['baseSeverity']) : score;
}
