import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import { normalisePypi } from '../../core/model/package-names.ts';
import {
  Advisory,
  maxAdvisoryAliases,
  maxFixedVersions,
  severities,
} from '../../core/schemas/advisory.ts';
import { optionalKey } from '../../core/schemas/keys.ts';
import { HttpsUrl, UpstreamUrl } from '../../core/schemas/urls.ts';
import { quote, toLine } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import { showUrl } from '../../io/http/error.ts';
import {
  defineSource,
  type OsvPackage,
  type SourceContext,
  SourceError,
  type SkippedElement,
  type StatedAdvisory,
} from './datasource.ts';
import { uniteAffected, Ranges, type AffectedVersions } from './shared/osv-ranges.ts';
import { joinUrl, fetchJsonFile, fetchPages } from './shared/requests.ts';
import { expectFewEntries, OptionalText } from './shared/document.ts';

/** CVSS vectors, or words that a database defines. */
const Severities = z
  .array(z.object({ type: z.string(), score: z.string().max(1000) }))
  .nullish()
  .catch(null);

const Affected = z.object({
  severity: Severities,
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ...Ranges.shape,
});

type Affected = z.infer<typeof Affected>;

/** ossf.github.io/osv-schema; only the keys in use. An unreadable text, link or rating costs no advisory. */
const OsvDocument = z.object({
  id: z.string(),
  aliases: z.array(z.unknown()).nullish().catch(null),
  published: OptionalText,
  withdrawn: z.string().nullish(),
  summary: OptionalText,
  affected: z.array(Affected).nullish(),
  severity: Severities,
  references: z
    .array(z.object({ url: OptionalText }))
    .nullish()
    .catch(null),
  database_specific: z
    .object({ severity: z.string().optional().catch(undefined) })
    .nullish()
    .catch(null),
});
type OsvDocument = z.infer<typeof OsvDocument>;

/** A page of the answer to a query. Unreadable documents are skipped one by one. */
const Page = z.object({
  vulns: z.array(z.unknown()).nullish(),
  next_page_token: z.string().max(10_000).nullish(),
});

const publicApi = 'https://api.osv.dev/';

/** Advisories on the packages of the other sources. It lists no releases. */
export const osv = defineSource({
  datasource: 'osv',
  defaultRegistry: publicApi,
  coordinates: {
    url: optionalKey(
      UpstreamUrl,
      "Address of an OSV document or an array of OSV documents; advisories on other packages are ignored. Without it, OSV's API supplies advisories on the packages of the other sources.",
      'https://example.com/advisories.json',
    ),
    registryUrl: optionalKey(
      UpstreamUrl,
      `Address of the API. Default: ${publicApi}`,
      'https://osv.example.com/',
    ),
    trusted: optionalKey(
      z.boolean(),
      'true: its publisher does not publish the releases, and Renovate may propose its fixes at once. Without it, fixes wait as other releases do.',
      true,
    ),
  },
  async gather({ url, registryUrl = publicApi }, context) {
    if (url !== undefined) {
      const documents = await fetchDocuments(url, context);

      // An advisory that is missing in a document may be in another.
      const { advisories, skipped } = readAdvisories(url, documents, context);
      return { skipped, advisories: { ...advisories, isComplete: false } };
    }

    if (context.packages.length === 0) {
      throw new SourceError(
        'osv: the other sources have no package of an ecosystem that OSV knows',
      );
    }

    const pages = await Promise.all(
      context.packages.map((subject) => queryPackage(subject, registryUrl, context)),
    );
    return readAdvisories(registryUrl, pages.flat(), context);
  },
});

async function fetchDocuments(url: string, context: SourceContext): Promise<unknown[]> {
  // A single document is the whole answer: it must be readable.
  const Documents = z.array(z.unknown()).or(OsvDocument);
  const documents = [await fetchJsonFile(context.http, url, Documents)].flat();
  expectFewEntries(url, documents.length);
  return documents;
}

/** All advisories on a package (https://google.github.io/osv.dev/post-v1-query). Fails if any page fails. */
async function queryPackage(
  { ecosystem, name }: OsvPackage,
  registryUrl: string,
  { http }: SourceContext,
): Promise<unknown[]> {
  const url = joinUrl(registryUrl, ['v1', 'query']);
  const createBody = (token?: string) => ({
    type: 'application/json',
    text: JSON.stringify({ package: { ecosystem, name }, page_token: token }),
  });
  const first = { method: 'POST', url, body: createBody() } as const;

  const pages = await fetchPages(http, first, Page, (_, { next_page_token: token }) =>
    token ? { body: createBody(token) } : undefined,
  );
  const advisories = pages.flatMap(({ vulns }) => vulns ?? []);
  expectFewEntries(url, advisories.length);
  return advisories;
}

/** A limit because every release is compared with each advisory. */
const maxAdvisories = 1000;

/**
 * Reads the advisories of documents. They are not complete if a document cannot be used: a missing advisory is then not withdrawn.
 */
function readAdvisories(url: string, documents: readonly unknown[], { packages }: SourceContext) {
  const byId = new Map<string, StatedAdvisory>();
  const problems: SkippedElement[] = [];
  let isComplete = true;

  for (const [index, element] of documents.entries()) {
    const document = readDocument(element, index + 1, packages);
    problems.push(...document.problems);
    if (!document.statement) {
      isComplete = false;
      continue;
    }

    const { id, advisory } = document.statement;
    // Another document with this id may be about other packages.
    byId.set(id, advisory ?? byId.get(id));
  }

  const affecting = [...byId].filter(([, advisory]) => typeof advisory === 'object');
  if (affecting.length > maxAdvisories) {
    const message = `lists more than ${maxAdvisories} advisories on this component. Skipped the rest.`;
    problems.push({ message, kind: 'too many' });
    isComplete = false;
  }
  for (const [id] of affecting.slice(maxAdvisories)) {
    byId.delete(id);
  }

  const skipped = problems.map((problem) => ({
    ...problem,
    message: `${showUrl(url)}: ${problem.message}`,
  }));
  return { skipped, advisories: { byId, isComplete } };
}

/**
 * The statement of a document on an advisory, with its problems. Without a statement, the document cannot be used; without an
 * advisory in it, it affects none of the packages. `position`: among all documents.
 */
function readDocument(element: unknown, position: number, packages: readonly OsvPackage[]) {
  const document = OsvDocument.safeParse(element).data;
  if (!document) {
    const message = `document ${position} is in no form of OSV. Skipped.`;
    return { problems: [{ message, kind: 'no form of OSV' }] };
  }

  const { id, withdrawn } = document;
  const affected = findAffected(document, packages);
  if (affected.length === 0 || withdrawn) {
    const advisory: StatedAdvisory = withdrawn ? 'withdrawn' : undefined;
    return { statement: { id, advisory }, problems: [] };
  }

  const versions = uniteAffected(affected);
  const problems: SkippedElement[] = [];
  if (versions.unreadable.length > 0) {
    const bounds = formatList(versions.unreadable.map(quote), 3);
    const message = `${quote(id)}: ${bounds} cannot be read as a version. More versions may count as affected.`;
    problems.push({ message, kind: 'unreadable bound' });
  }

  const { data, error } = Advisory.safeParse(toAdvisory(document, affected, versions));
  const [issue] = error?.issues ?? [];
  if (issue) {
    problems.push({ message: `${quote(id)}: ${issue.message}. Skipped.`, kind: issue.code });
    return { problems };
  }

  return { statement: { id, advisory: data }, problems };
}

function findAffected({ affected }: OsvDocument, packages: readonly OsvPackage[]): Affected[] {
  return (affected ?? []).filter(({ package: subject }) => {
    if (!subject) {
      return false;
    }

    const [ecosystem = ''] = subject.ecosystem.split(':');
    const key = findNameKey(ecosystem, subject.name);
    return packages.some(
      (each) => each.ecosystem === ecosystem && findNameKey(ecosystem, each.name) === key,
    );
  });
}

/** Equal for all spellings of a package's name. OSV has NuGet's ids as their packages spell them, but NuGet ignores case. */
function findNameKey(ecosystem: string, name: string): string {
  return ecosystem === 'NuGet' ? name.toLowerCase() : normaliseOsvName(ecosystem, name);
}

/** A package's name in OSV. */
export function normaliseOsvName(ecosystem: string, name: string): string {
  return ecosystem === 'PyPI' ? normalisePypi(name) : name;
}

/** A rating in words. Some databases write "MODERATE" where CVSS has "Medium". */
const Rating = z
  .string()
  .transform((word) => word.toLowerCase().replace('moderate', 'medium'))
  .pipe(Advisory.shape.severity.unwrap());

/**
 * The database's severity, else the highest rating by the newest version of CVSS (first.org/cvss, "Qualitative Severity Rating
 * Scale"), else the highest of all ratings, also those in words.
 */
function readSeverity(
  { severity, database_specific: specific }: OsvDocument,
  affected: readonly Affected[],
) {
  const statedSeverities = [
    ...(severity ?? []),
    ...affected.flatMap((entry) => entry.severity ?? []),
  ];
  const listScores = (version: string) =>
    statedSeverities.filter(({ type }) => type === version).map(({ score }) => score);

  const byPrecedence = [
    specific?.severity === undefined ? [] : [specific.severity],
    listScores('CVSS_V4'),
    listScores('CVSS_V3'),
    statedSeverities.map(({ score }) => score),
  ];
  return byPrecedence.map(findHighestRating).find((rating) => rating !== undefined);
}

function findHighestRating(scores: readonly string[]) {
  const ratings = scores.map((score) => Rating.safeParse(rateScore(score)).data);
  return severities.findLast((rating) => ratings.includes(rating));
}

/** A vector, such as `CVSS:3.1/AV:N/AC:L`. Tested first, because the library prints an error for any other text. */
const vector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/;

/** The rating of a vector. Any other text may be a rating itself. */
function rateScore(score: string): unknown {
  return vector.test(score) ? cvss.fromVector(score)?.createJsonSchema()['baseSeverity'] : score;
}

function toAdvisory(
  document: OsvDocument,
  affected: readonly Affected[],
  { range, fixed }: AffectedVersions,
): unknown {
  const { id, summary, published, references } = document;
  const isAlias = (alias: unknown): alias is string =>
    alias !== id && Advisory.shape.id.safeParse(alias).success;
  const aliases = listDistinct((document.aliases ?? []).filter(isAlias))?.sort();
  const link = references?.find(({ url }) => HttpsUrl.safeParse(url).success)?.url;

  return dropUndefined({
    id,
    aliases: aliases?.slice(0, maxAdvisoryAliases),
    affected: range,
    fixed: listDistinct(fixed)?.slice(0, maxFixedVersions),
    severity: readSeverity(document, affected),
    summary: (summary && toLine(summary)) || undefined,
    url: link,
    published: Advisory.shape.published.safeParse(published?.slice(0, 10)).data,
  });
}
