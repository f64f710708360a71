import * as z from 'zod';
import { parseJson } from '../documents.ts';
import type { Http } from '../http/client.ts';
import { SourceError } from '../http/failures.ts';
import { readEntries } from '../read-releases.ts';
import { fetchJson, fetchPages, joinUrl } from '../requests.ts';
import type { Datasource, SourceContext } from '../types.ts';
import { OsvDocument, readAdvisory } from './osv-document.ts';

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
    const { values, findings } = await (source.url === undefined
      ? askApi(source, context)
      : fetchDocuments(source.url, context));
    const stated = values.flatMap((document) => readAdvisory(document, context.packages) ?? []);
    // Another document with the same id may be about other packages.
    const advisories = new Map(stated.map((advisory) => [advisory.id, advisory]));
    const withdrawn = values.filter(({ id }) => !advisories.has(id));

    return {
      releases: [],
      advisories: [...advisories.values()].slice(0, maxAdvisories),
      withdrawnAdvisories: withdrawn.map(({ id }) => id),
      findings,
      isPartial: findings.length > 0,
    };
  },
};

async function fetchDocuments(url: string, { http }: SourceContext) {
  const response = await http.fetch({ url });
  return readDocuments(url, [parseJson(response)].flat());
}

/** An empty list is sound: there is no advisory. */
function readDocuments(url: string, documents: readonly unknown[]) {
  return documents.length > 0
    ? readEntries(url, documents, OsvDocument)
    : { values: [], findings: [] };
}

async function askApi({ registryUrl = 'https://api.osv.dev/' }: OsvSource, context: SourceContext) {
  const { http, packages } = context;
  if (packages.length === 0) {
    throw new SourceError('osv: the other sources have no package of an ecosystem that OSV knows');
  }

  const url = joinUrl(registryUrl, ['v1', 'query']);
  const lists = packages.map((subject) => listVulnerabilities(url, subject, http));
  const { values, findings } = readDocuments(url, (await Promise.all(lists)).flat());
  return { values: [...values, ...(await fetchUnlisted(registryUrl, values, context))], findings };
}

/** Those of a package: google.github.io/osv.dev/post-v1-query. Withdrawn ones are not listed. */
async function listVulnerabilities(url: string, subject: object, http: Http): Promise<unknown[]> {
  const createBody = (page_token?: string) => JSON.stringify({ package: subject, page_token });
  const headers = { 'content-type': 'application/json' };
  const first = { method: 'POST', url, body: createBody(), headers } as const;
  const pages = await fetchPages(http, first, Page, (_, { next_page_token: token }) =>
    token ? { body: createBody(token) } : undefined,
  );
  return pages.flatMap(({ vulns }) => vulns ?? []);
}

/** What became of recorded advisories that are no longer listed: google.github.io/osv.dev/get-v1-vulns */
async function fetchUnlisted(
  registryUrl: string,
  listed: readonly OsvDocument[],
  { http, recorded }: SourceContext,
) {
  const ids = new Set(listed.map(({ id }) => id));
  // Those of a catalogue do not say what they affect.
  const unlisted = (recorded?.advisories ?? []).filter(
    ({ id, affected }) => affected !== undefined && !ids.has(id),
  );
  const documents = await Promise.all(
    unlisted.map(({ id }) => {
      const url = joinUrl(registryUrl, ['v1', 'vulns', id]);
      // An advisory that cannot be read, or is of another source, stays.
      return fetchJson(http, { url }, OsvDocument).catch(() => []);
    }),
  );
  return documents.flat();
}
