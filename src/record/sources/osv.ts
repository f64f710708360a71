import cvss from 'ae-cvss-calculator';
import { z } from 'zod';
import type { Report } from '../../core/schemas/finding.ts';
import { Advisory } from '../../core/schemas/advisory.ts';
import { documented } from '../../core/schemas/documented.ts';
import { HttpsUrl, UpstreamUrl } from '../../core/schemas/links.ts';
import { defined, normalisePypi, quote, toLine } from '../../core/text.ts';
import { showUrl } from '../../io/http/error.ts';
import { expectFew, readDocument, readJson } from './elements.ts';
import { fetchJsonFile } from './requests.ts';
import { defineSource } from './source.ts';

/** The name of a package as OSV has it. */
export function osvName(ecosystem: string, name: string): string {
  return ecosystem === 'PyPI' ? normalisePypi(name) : name;
}

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});

/** A vector of CVSS, or a word of a database of its own. */
const Severities = z
  .array(z.object({ type: z.string(), score: z.string().max(1000) }))
  .nullish()
  .catch(null);

const Affected = z.object({
  severity: Severities,
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).nullish(),
  versions: z.array(z.string()).nullish(),
});

type Affected = z.infer<typeof Affected>;

/** ossf.github.io/osv-schema, as far as it is read. */
const OsvDocument = z.object({
  id: z.string(),
  published: z.string().optional(),
  withdrawn: z.string().nullish(),
  summary: z.string().optional(),
  affected: z.array(Affected).nullish(),
  severity: Severities,
  references: z.array(z.object({ url: z.string() })).nullish(),
  database_specific: z
    .object({ severity: z.string().optional().catch(undefined) })
    .nullish()
    .catch(null),
});
type OsvDocument = z.infer<typeof OsvDocument>;

/** Every release is compared with each. */
const mostAdvisories = 1000;

/** Advisories on the packages of the other sources. It lists no releases. */
export const osv = defineSource({
  datasource: 'osv',
  coordinates: {
    url: documented(
      UpstreamUrl,
      'Address of an OSV document, or of an array of them. Those about other packages are ignored.',
      'https://example.com/advisories.json',
    ),
  },
  timestamps: 'lists advisories, no releases',
  async gather({ url }, context) {
    const response = await fetchJsonFile(context.http, url);
    const document = readJson(response, z.union([z.array(z.unknown()), z.looseObject({})]));
    const listed = Array.isArray(document) ? document : [document];
    expectFew(url, listed.length);
    let advised = 0;
    for (const [index, one] of listed.entries()) {
      const parsed = OsvDocument.safeParse(one);
      if (parsed.success) advise(parsed.data);
      // A document that is alone is the whole answer.
      else if (!Array.isArray(document)) readDocument(url, one, OsvDocument);
      else
        context.skip(
          `${showUrl(url)}: document ${index + 1} is in no form of OSV. Skipped.`,
          'no form of OSV',
        );
    }
    return [];

    function advise(stated: OsvDocument): void {
      const affected = (stated.affected ?? []).filter(({ package: about }) =>
        context.packages.some(
          ({ ecosystem, name }) =>
            about?.ecosystem.split(':')[0] === ecosystem && osvName(ecosystem, about.name) === name,
        ),
      );
      if (affected.length === 0 || stated.withdrawn) return context.advise(stated.id, undefined);
      const { data, error } = Advisory.safeParse(toAdvisory(stated, affected));
      const skip: Report = (problem, kind) => context.skip(`${showUrl(url)}: ${problem}`, kind);
      if (error)
        return skip(`${quote(stated.id)}: ${error.issues[0]!.message}. Skipped.`, error.issues[0]!.code);
      if (advised >= mostAdvisories)
        return skip(`lists more than ${mostAdvisories} advisories on this component. Skipped the rest.`);
      advised += 1;
      context.advise(stated.id, data);
    }
  },
});

/** The library prints what it cannot read, so that it gets vectors only. */
const vector = /^CVSS:\d\.\d(?:\/[A-Za-z]+:[A-Za-z]+)+$/;

/** The word of the database, else the rating of its newest vector (first.org/cvss, "Qualitative Severity Rating Scale"). */
function severityOf({ severity, database_specific: specific }: OsvDocument, affected: readonly Affected[]) {
  const stated = [severity, ...affected.map((one) => one.severity)].flatMap((all) => all ?? []);
  const scores = stated.toSorted((a, b) => (a.type < b.type ? 1 : -1)).map(({ score }) => score);
  const ratings = scores.map((score) =>
    vector.test(score) ? cvss.fromVector(score)?.createJsonSchema()['baseSeverity'] : score,
  );
  return [specific?.severity, ...ratings]
    .map((word) => String(word).toLowerCase().replace('moderate', 'medium'))
    .map((word) => Advisory.shape.severity.safeParse(word).data)
    .find((rating) => rating !== undefined);
}

function toAdvisory(stated: OsvDocument, affected: readonly Affected[]): unknown {
  const { id, summary, published, references } = stated;
  const link = references?.find(({ url }) => HttpsUrl.safeParse(url).success)?.url;
  const events = affected.flatMap(({ ranges }) => ofVersions(ranges).flatMap((range) => range.events));
  const fixed = [...new Set(events.flatMap((event) => event.fixed ?? []))];
  return defined({
    id,
    affected: [...new Set(affected.flatMap(alternatives))].join(' || '),
    fixed: fixed.length > 0 ? fixed : undefined,
    severity: severityOf(stated, affected),
    summary: summary === undefined ? undefined : toLine(summary) || undefined,
    url: link,
    published: Advisory.shape.published.safeParse(published?.slice(0, 10)).data,
  });
}

/** Those of commits say nothing of versions. */
function ofVersions(ranges: Affected['ranges']) {
  return (ranges ?? []).filter(({ type }) => type !== 'GIT');
}

/** Each range of versions; the versions one by one where no range is stated. */
function alternatives({ ranges, versions }: Affected): string[] {
  const found = ofVersions(ranges).flatMap(({ events }) => {
    const spans: { from: string; to?: string }[] = [];
    for (const { introduced, fixed, last_affected: last } of events) {
      if (introduced !== undefined) spans.push({ from: introduced === '0' ? '' : `>=${introduced}` });
      const to = fixed === undefined ? last && `<=${last}` : `<${fixed}`;
      if (to !== undefined && spans.length > 0) spans.at(-1)!.to = to;
    }
    return spans.map(({ from, to = '' }) => `${from} ${to}`.trim() || '*');
  });
  return found.length > 0 ? found : (versions ?? []).map((version) => `=${version}`);
}
