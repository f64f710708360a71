import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { normaliseName } from '../../core/purl.ts';
import { Advisory, severities } from '../../core/schema/advisory.ts';
import { DaySchema, HttpsUrl } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { Affected, formatRange, listFixed, Severities } from '../affected-range.ts';
import { anyText, readJson } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { fetchJson, fetchPages, joinUrl, maxDocumentBytes } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

/** ossf.github.io/osv-schema. An unreadable text, link or rating costs no advisory. */
const Document = z.object({
  id: z.string(),
  aliases: z.array(z.unknown()).nullish().catch(null),
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
    const documents = await fetchDocuments(source, context);
    const advisories = new Map<string, Advisory>();
    const withdrawnAdvisories: string[] = [];
    const skipped: number[] = [];

    for (const [index, element] of documents.entries()) {
      const document = Document.safeParse(element).data;
      if (!document) {
        skipped.push(index + 1);
        continue;
      }

      const affected = findAffected(document, context);
      const advisory = createAdvisory(document, affected);
      if (document.withdrawn || affected.length === 0) {
        withdrawnAdvisories.push(document.id);
      } else if (advisory) {
        advisories.set(advisory.id, advisory);
      } else {
        skipped.push(index + 1);
      }
    }

    return {
      releases: [],
      advisories: [...advisories.values()].slice(0, maxAdvisories),
      // Another document with the same id may be about other packages.
      withdrawnAdvisories: withdrawnAdvisories.filter((id) => !advisories.has(id)),
      notes: skipped.map((position) => `document ${position} is in no form of OSV. Skipped.`),
      isPartial: skipped.length > 0,
    };
  },
};

async function fetchDocuments(source: OsvSource, context: SourceContext): Promise<unknown[]> {
  const { http, packages } = context;
  if (source.url !== undefined) {
    // A single document is the whole answer: it must be readable.
    const response = await http.fetch({ url: source.url, maxBytes: maxDocumentBytes });
    return [readJson(response, z.array(z.unknown()).or(Document))].flat();
  }
  if (packages.length === 0) {
    throw new SourceError('osv: the other sources have no package of an ecosystem that OSV knows');
  }

  const lists = await Promise.all(
    packages.map((subject) => queryPackage(subject, source, context)),
  );
  const listed = lists.flat();
  const ids = new Set(listed.map((element) => Document.safeParse(element).data?.id));
  // Those of a catalogue do not say what they affect.
  const former = context.recorded?.advisories?.filter(({ affected }) => affected !== undefined);
  const missing = (former ?? []).map(({ id }) => id).filter((id) => !ids.has(id));
  return [...listed, ...(await fetchMissing(missing, source, context))];
}

const defaultApi = 'https://api.osv.dev/';

/** All advisories on a package: google.github.io/osv.dev/post-v1-query. Withdrawn ones are not listed. */
async function queryPackage(
  subject: SourceContext['packages'][number],
  { registryUrl = defaultApi }: OsvSource,
  { http }: SourceContext,
): Promise<unknown[]> {
  const createBody = (page_token?: string) => JSON.stringify({ package: subject, page_token });
  const first = {
    method: 'POST',
    url: joinUrl(registryUrl, ['v1', 'query']),
    body: createBody(),
    headers: { 'content-type': 'application/json' },
  } as const;
  const pages = await fetchPages(http, first, Page, (_, { next_page_token: token }) =>
    token ? { body: createBody(token) } : undefined,
  );
  return pages.flatMap(({ vulns }) => vulns ?? []);
}

/** What became of recorded advisories that are no longer listed: google.github.io/osv.dev/get-v1-vulns */
async function fetchMissing(
  ids: readonly string[],
  { registryUrl = defaultApi }: OsvSource,
  { http }: SourceContext,
): Promise<unknown[]> {
  const urls = ids.map((id) => joinUrl(registryUrl, ['v1', 'vulns', id]));
  const documents = await Promise.all(
    urls.map((url) => fetchJson(http, url, z.unknown()).catch(() => undefined)),
  );
  // One that cannot be read, or is of another source, stays.
  return documents.filter((document) => document !== undefined);
}

function findAffected({ affected }: Document, { packages }: SourceContext): Affected[] {
  const keys = new Set(packages.map(({ ecosystem, name }) => createKey(ecosystem, name)));
  return (affected ?? []).filter(({ package: subject }) => {
    const [ecosystem = ''] = subject?.ecosystem.split(':') ?? [];
    return subject && keys.has(createKey(ecosystem, subject.name));
  });
}

/** Equal for all spellings of a package. */
function createKey(ecosystem: string, name: string): string {
  const type = { PyPI: 'pypi', NuGet: 'nuget' }[ecosystem];
  return `${ecosystem} ${type === undefined ? name : normaliseName(type, name)}`;
}

/** Undefined for a document that makes no advisory. */
function createAdvisory(document: Document, affected: readonly Affected[]): Advisory | undefined {
  const { id, summary, published, references } = document;
  const isAlias = (alias: unknown): alias is string =>
    alias !== id && Advisory.shape.id.safeParse(alias).success;
  const aliases = [...new Set((document.aliases ?? []).filter(isAlias))].sort();
  const fixed = listFixed(affected);
  const stated = {
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
  return Advisory.safeParse(JSON.parse(JSON.stringify(stated))).data;
}

/** The database's own word, else the highest rating by the newest version of CVSS, else the highest of all. */
function rate({ severity, database_specific: specific }: Document, affected: readonly Affected[]) {
  const stated = [...(severity ?? []), ...affected.flatMap((entry) => entry.severity ?? [])];
  const byVersion = ['CVSS_V4', 'CVSS_V3'].map((version) =>
    stated.filter(({ type }) => type === version),
  );
  const scores = byVersion.find((list) => list.length > 0) ?? stated;
  const words = specific?.severity
    ? [specific.severity]
    : scores.map(({ score }) => readScore(score));
  const ratings = words.map((word) => word.toLowerCase().replace('moderate', 'medium'));
  return severities.findLast((rating) => ratings.includes(rating));
}

/** `CVSS:3.1/AV:N/AC:L…`. The library prints an error for any other text. */
function readScore(score: string): string {
  const isVector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/.test(score);
  return isVector ? String(cvss.fromVector(score)?.createJsonSchema()['baseSeverity']) : score;
}
