import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { normaliseName } from '../../core/purl.ts';
import { Advisory, severities } from '../../core/schema/published.ts';
import { DaySchema, HttpsUrl } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { Affected, formatRange, listFixed } from '../affected-range.ts';
import type { Http } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readEntries } from '../read-releases.ts';
import { anyText, fetchJson, fetchPages, joinUrl, parseJson } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

const Page = z.object({
  vulns: z.array(z.unknown()).nullish(),
  next_page_token: z.string().nullish(),
});

/**
 * The greatest number of advisories of a component. A version that is not in the index is compared with each advisory. With very many
 * advisories, this would take too long.
 */
const maxAdvisories = 1000;

interface OsvSource {
  /**
   * The URL of an OSV document, or of an array of OSV documents. Without it, OSV's API is asked about the packages of the other sources.
   */
  url?: string | undefined;
  registryUrl?: string | undefined;
}

/** Reads advisories about the packages of the component's other sources. */
export const osv: Datasource<OsvSource> = {
  async list(source, context) {
    const { values, notes } = await (source.url === undefined
      ? askApi(source, context)
      : fetchDocuments(source.url, context));
    const stated = values.flatMap((document) => readAdvisory(document, context.packages) ?? []);
    const advisories = new Map(stated.map((advisory) => [advisory.id, advisory]));
    // Several documents may have the same id. An id counts as withdrawn only if none of its documents is an advisory about the component's
    // packages.
    const withdrawn = values.filter(({ id }) => !advisories.has(id));

    return {
      releases: [],
      advisories: [...advisories.values()].slice(0, maxAdvisories),
      withdrawnAdvisories: withdrawn.map(({ id }) => id),
      notes,
      isPartial: notes.length > 0,
    };
  },
};

async function fetchDocuments(url: string, { http }: SourceContext) {
  const response = await http.fetch({ url });
  return readDocuments(url, [parseJson(response)].flat());
}

/** Reads OSV documents. An empty list is a valid answer, and means that there are no advisories. */
function readDocuments(url: string, documents: readonly unknown[]) {
  return documents.length > 0
    ? readEntries(url, documents, OsvDocument)
    : { values: [], notes: [] };
}

async function askApi({ registryUrl = 'https://api.osv.dev/' }: OsvSource, context: SourceContext) {
  const { http, packages } = context;
  if (packages.length === 0) {
    throw new SourceError('the other sources name no package of an ecosystem that OSV knows');
  }

  const url = joinUrl(registryUrl, ['v1', 'query']);
  const lists = packages.map((subject) => listVulnerabilities(url, subject, http));
  const { values, notes } = readDocuments(url, (await Promise.all(lists)).flat());
  return { values: [...values, ...(await fetchUnlisted(registryUrl, values, context))], notes };
}

/** Requests the advisories of a package: google.github.io/osv.dev/post-v1-query. Withdrawn advisories are not listed. */
async function listVulnerabilities(url: string, subject: object, http: Http): Promise<unknown[]> {
  const createBody = (page_token?: string) => JSON.stringify({ package: subject, page_token });
  const headers = { 'content-type': 'application/json' };
  const first = { method: 'POST', url, body: createBody(), headers } as const;
  const pages = await fetchPages(http, first, Page, (_, { next_page_token: token }) =>
    token ? { body: createBody(token) } : undefined,
  );
  return pages.flatMap(({ vulns }) => vulns ?? []);
}

/** Finds out whether recorded advisories that are no longer listed were withdrawn: google.github.io/osv.dev/get-v1-vulns */
async function fetchUnlisted(
  registryUrl: string,
  listed: readonly OsvDocument[],
  { http, recorded }: SourceContext,
) {
  const ids = new Set(listed.map(({ id }) => id));
  // Skips advisories without an `affected` range. They come from a catalogue of exploited vulnerabilities, not from OSV.
  const unlisted = (recorded?.advisories ?? []).filter(
    ({ id, affected }) => affected !== undefined && !ids.has(id),
  );
  const documents = await Promise.all(
    unlisted.map(({ id }) => {
      const url = joinUrl(registryUrl, ['v1', 'vulns', id]);
      // If OSV gives no readable document, for example because the advisory is from another source, the recorded advisory stays.
      return fetchJson(http, { url }, OsvDocument).catch(() => []);
    }),
  );
  return documents.flat();
}

/* Reads OSV documents as advisories (ossf.github.io/osv-schema). */

/** Ratings of an advisory: CVSS vectors, or words that a database defines. */
const Severities = z.array(z.object({ type: z.string(), score: z.string() })).catch([]);

/** An OSV document. An unreadable text, link or rating is left out, and the rest is used. */
const OsvDocument = z.object({
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
type OsvDocument = z.infer<typeof OsvDocument>;

const maxAliases = 20;
const maxFixed = 1000;

/**
 * Reads an OSV document as an advisory about these packages. Returns undefined if the document is withdrawn, or is about other packages.
 */
function readAdvisory(
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
  // Removes undefined keys. When the advisories of several sources are merged, an undefined key would replace another source's value.
  return JSON.parse(JSON.stringify(advisory));
}

function isAbout(
  { package: named }: Affected,
  { ecosystem, name }: SourceContext['packages'][number],
): boolean {
  // The name of an ecosystem may contain a version: `Debian:12`.
  const [stated] = named?.ecosystem.split(':') ?? [];
  const spell = (text = '') => spellName(ecosystem, text);
  return stated === ecosystem && spell(named?.name) === spell(name);
}

/** Returns a key that is the same for all spellings of a PyPI or NuGet package. In other ecosystems, a package has only one spelling. */
function spellName(ecosystem: string, name: string): string {
  const type = { PyPI: 'pypi', NuGet: 'nuget' }[ecosystem];
  return type === undefined ? name : normaliseName(type, name);
}

/**
 * Finds the severity. Uses the first of these that exists:
 * - the rating that the advisory database gives as a word, such as `HIGH`
 * - the highest rating with the newest CVSS version
 * - the highest of all ratings
 */
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

/** Rates a CVSS vector such as `CVSS:3.1/AV:N/AC:L…`. The form is checked first, because the library prints an error for any other text. */
function readScore(score: string): string {
  const isVector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/.test(score);
  return isVector ? String(cvss.fromVector(score)?.createJsonSchema()['baseSeverity']) : score;
}
