import { normaliseName } from '../../core/purl.ts';
import { compareToBound, isInRange, parseRange } from '../../core/range.ts';
import { Advisory, severities } from '../../core/schema/advisory.ts';
import { DaySchema, HttpsUrl, RangeText } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { parseVersion } from '../../core/version.ts';
import cvss from 'ae-cvss-calculator';
import * as z from 'zod';
import { anyText, readJson } from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';

/** CVSS vectors, or words that a database defines. */
const Severities = z
  .array(z.object({ type: z.string(), score: z.string() }))
  .nullish()
  .catch(null);
const Event = z.object({
  introduced: z.string().nullish(),
  fixed: z.string().nullish(),
  last_affected: z.string().nullish(),
});
const Affected = z.object({
  severity: Severities,
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
  versions: z.array(z.string()).nullish(),
});

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
    const notes: string[] = [];
    let isPartial = false;

    for (const [index, element] of documents.entries()) {
      const { data: document } = Document.safeParse(element);
      const affected = document && !document.withdrawn ? findAffected(document, context) : [];
      const advisory =
        document && affected.length > 0
          ? Advisory.safeParse(createAdvisory(document, affected))
          : undefined;
      if (!document || advisory?.success === false) {
        notes.push(`document ${index + 1} is in no form of OSV. Skipped.`);
        isPartial = true;
      } else if (advisory) {
        advisories.set(advisory.data.id, advisory.data);
      }
    }

    return {
      releases: [],
      advisories: [...advisories.values()].slice(0, maxAdvisories),
      notes,
      isPartial,
    };
  },
};

async function fetchDocuments(
  { url, registryUrl = 'https://api.osv.dev/' }: OsvSource,
  { http, packages }: SourceContext,
): Promise<unknown[]> {
  if (url !== undefined) {
    // A single document is the whole answer: it must be readable.
    return [
      readJson(
        await http.fetch({ url, maxBytes: 20 * 1024 * 1024 }),
        z.array(z.unknown()).or(Document),
      ),
    ].flat();
  }
  if (packages.length === 0) {
    throw new SourceError('osv: the other sources have no package of an ecosystem that OSV knows');
  }

  // google.github.io/osv.dev/post-v1-query
  const pages = packages.map((subject) => {
    const createBody = (page_token?: string) => JSON.stringify({ package: subject, page_token });
    const first = {
      method: 'POST',
      url: joinUrl(registryUrl, ['v1', 'query']),
      body: createBody(),
      headers: { 'content-type': 'application/json' },
    } as const;
    return fetchPages(http, first, Page, (_, { next_page_token: token }) =>
      token ? { body: createBody(token) } : undefined,
    );
  });
  return (await Promise.all(pages)).flat().flatMap(({ vulns }) => vulns ?? []);
}

type Affected = z.infer<typeof Affected>;

function findAffected({ affected }: Document, { packages }: SourceContext): Affected[] {
  const createKey = (ecosystem = '', name: string) =>
    `${ecosystem} ${ecosystem === 'PyPI' ? normaliseName('pypi', name) : ecosystem === 'NuGet' ? name.toLowerCase() : name}`;
  const keys = new Set(packages.map(({ ecosystem, name }) => createKey(ecosystem, name)));
  return (affected ?? []).filter(
    ({ package: subject }) =>
      subject && keys.has(createKey(subject.ecosystem.split(':')[0], subject.name)),
  );
}

function createAdvisory(document: Document, affected: readonly Affected[]) {
  const { id, summary, published, references } = document;
  const isAlias = (alias: unknown): alias is string =>
    alias !== id && Advisory.shape.id.safeParse(alias).success;
  const aliases = [...new Set((document.aliases ?? []).filter(isAlias))].sort().slice(0, 20);
  const fixed = [
    ...new Set(
      affected
        .flatMap(listBounds)
        .filter(({ sign, version }) => sign === '<' && version)
        .map(({ text }) => text),
    ),
  ];
  const advisory = {
    id,
    aliases: aliases.length > 0 ? aliases : undefined,
    affected: formatRange(affected),
    fixed: fixed.length > 0 ? fixed.slice(0, 1000) : undefined,
    severity: rate(document, affected),
    summary: (summary && toLine(summary)) || undefined,
    url: references?.find(({ url }) => HttpsUrl.safeParse(url).success)?.url,
    published: DaySchema.safeParse(published?.slice(0, 10)).data,
  };
  return JSON.parse(JSON.stringify(advisory)) as unknown;
}

/** The database's own word, else the highest rating by the newest version of CVSS, else the highest of all. */
function rate({ severity, database_specific: specific }: Document, affected: readonly Affected[]) {
  const stated = [...(severity ?? []), ...affected.flatMap((entry) => entry.severity ?? [])];
  const scores =
    ['CVSS_V4', 'CVSS_V3']
      .map((version) => stated.filter(({ type }) => type === version))
      .find((list) => list.length > 0) ?? stated;
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

/** At one version, an end comes before a start: it may be fixed and affected again. */
const signs = ['<', '>=', '<='] as const;

/** `version`: undefined for a text that is none. The start `0` precedes every version. */
interface Bound {
  sign: (typeof signs)[number];
  text: string;
  version: ReturnType<typeof parseVersion>;
}

const start: Bound = { sign: '>=', text: '0', version: { text: '0', groups: [''], suffix: '' } };

/** The bounds of the ranges of versions; those of commits have none. */
function listBounds({ ranges }: Affected): Bound[] {
  return (ranges ?? [])
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => events.flatMap(readEvent));
}

function readEvent({ introduced, fixed, last_affected: last }: z.infer<typeof Event>): Bound[] {
  const stated = [
    ['<', fixed],
    ['>=', introduced],
    ['<=', last],
  ] as const;
  return stated.flatMap(([sign, text]) => {
    if (typeof text !== 'string') {
      return [];
    }
    return sign === '>=' && text === '0'
      ? [start]
      : [
          {
            sign,
            text,
            version: RangeText.safeParse(`=${text}`).success ? parseVersion(text) : undefined,
          },
        ];
  });
}

/** The affected versions as a range. What cannot be read widens it, never narrows it. */
function formatRange(affected: readonly Affected[]): string {
  const spans = affected.flatMap(({ ranges, ...rest }) =>
    (ranges ?? []).flatMap((range) => listSpans(listBounds({ ...rest, ranges: [range] }))),
  );
  const range = parseRange([...new Set(spans)].join(' || ') || '<0')!;
  const versions = affected
    .flatMap((entry) => entry.versions ?? [])
    .flatMap((text) => readEvent({ introduced: text }))
    .flatMap(({ version }) => version ?? []);
  const others = versions
    .filter((version) => !isInRange(range, version))
    .map(({ text }) => `=${text}`);

  const text = [...new Set([...spans, ...others])].join(' || ') || '*';
  if (text.split(' || ').includes('*')) {
    return '*';
  }
  // One that is too long is a span around all its versions.
  const sorted = versions.sort(compareToBound);
  return RangeText.safeParse(text).success
    ? text
    : spans.join(' || ') || `>=${sorted[0]!.text} <=${sorted.at(-1)!.text}`;
}

function listSpans(bounds: readonly Bound[]): string[] {
  const readable = bounds
    .filter((bound) => bound.version !== undefined)
    .sort(
      (a, b) =>
        compareToBound(a.version!, b.version!) || signs.indexOf(a.sign) - signs.indexOf(b.sign),
    );
  if (bounds.length === 0) {
    return [];
  }
  // A start that cannot be read may lie before any other bound. A range that begins with an end has all versions before it.
  const isOpen = bounds.some(({ sign, version }) => sign === '>=' && version === undefined);
  const ordered = isOpen
    ? [start, ...readable.slice(-1)]
    : readable[0]?.sign === '>='
      ? readable
      : [start, ...readable];

  const spans: string[] = [];
  let from: Bound | undefined;
  let latest = start;
  for (const bound of ordered) {
    if (bound.sign === '>=') {
      from ??= bound;
      latest = bound;
    } else if (from) {
      spans.push(formatSpan(from, bound));
      // In `introduced 0, last_affected 1.0, introduced 1.0`, later versions are affected, too.
      from =
        from !== latest && compareToBound(latest.version!, bound.version!) === 0
          ? latest
          : undefined;
    }
  }
  return from ? [...spans, formatSpan(from)] : spans;
}

function formatSpan(...bounds: Bound[]): string {
  return (
    bounds
      .filter((bound) => bound !== start)
      .map(({ sign, text }) => `${sign}${text}`)
      .join(' ') || '*'
  );
}
