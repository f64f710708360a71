import * as z from 'zod';
import { SourceError } from '../http/failures.ts';
import { readReleases } from '../read-releases.ts';
import {
  anyFlag,
  anyText,
  anyTime,
  pickTexts,
  readJson,
  fetchJson,
  joinUrl,
  resolveAtHost,
} from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

/** The service index of a registry, see learn.microsoft.com/nuget/api/service-index. */
const ServiceIndex = z.object({
  resources: z.array(z.object({ '@id': z.string(), '@type': z.string() })),
});

/** A page of a package's versions (learn.microsoft.com/nuget/api/registration-base-url-resource). If there are many versions, each page is a separate document. */
const Page = z.object({ items: z.array(z.object({ catalogEntry: z.unknown() })) });
const Registration = z.object({ items: z.array(Page.or(z.object({ '@id': z.string() }))) });

const Deprecation = z
  .object({
    reasons: z.array(z.string()).nullish(),
    message: anyText,
    alternatePackage: z.object({ id: z.string() }).nullish(),
  })
  .transform(({ reasons, message, alternatePackage }) => {
    const reason = message ?? reasons?.join(', ') ?? '';
    const lead = reason || 'deprecated';
    return { reason: alternatePackage ? `${lead} (use ${alternatePackage.id})` : reason };
  });

const Entry = z
  .object({
    version: z.string().min(1),
    listed: anyFlag,
    published: anyTime,
    deprecation: Deprecation.nullish(),
  })
  .transform(({ version: text, listed, published, deprecation }) => {
    // Build metadata is removed, as in Renovate, because no two versions of a package differ only in build metadata.
    const version = text.replace(/\+.*/, '');
    // nuget.org gives an unlisted version the year 1900. An unlisted version can still be downloaded, so it is listed without a date.
    const isUndated = published?.startsWith('1900-');
    const unlisted = listed === false || isUndated ? 'unlisted' : undefined;
    return {
      version,
      releaseTimestamp: isUndated ? undefined : published,
      deprecated: deprecation?.reason ?? unlisted,
      isSemver: true,
    };
  });

export const nuget: Datasource<PackageSource> = {
  async list(source, context) {
    const { url, entries } = await fetchEntries(source, context);
    return readReleases(url, entries, Entry);
  },
  async describe(source, context) {
    const { entries } = await fetchEntries(source, context);
    // Registries list the greatest version last. Its entry may lack a `title`.
    const keys = { title: 'title', id: 'id', homepage: 'projectUrl' };
    const { id, title, ...others } = pickTexts(entries.at(-1), keys);
    return { title: title ?? id, ...others };
  },
};

/** Lists the entries of all pages in order. Package ids are case-insensitive. */
async function fetchEntries(
  { packageName, registryUrl = 'https://api.nuget.org/v3/index.json' }: PackageSource,
  { http }: SourceContext,
) {
  const service = await http.fetch({ url: registryUrl });
  const { resources } = readJson(service, ServiceIndex);
  // A registry may list several `RegistrationsBaseUrl` resources. The newest is used, because old ones do not list SemVer 2 versions. The
  // type of the newest comes last in alphabetical order: `RegistrationsBaseUrl/Versioned`, or else `RegistrationsBaseUrl/3.6.0`.
  const latest = resources
    .filter(({ '@type': type }) => type.startsWith('RegistrationsBaseUrl'))
    .sort((a, b) => (a['@type'] < b['@type'] ? -1 : 1))
    .at(-1);
  if (!latest) {
    throw SourceError.at(
      service.url,
      'names no RegistrationsBaseUrl. Use the address for version 3 of the protocol',
    );
  }

  const { url: base, from } = resolveAtHost(service, latest['@id']);
  const url = joinUrl(base, [packageName.toLowerCase(), 'index.json']);
  const registration = await http.fetch({ url, from });
  const pages = await Promise.all(
    readJson(registration, Registration).items.map((page) =>
      'items' in page ? page : fetchJson(http, resolveAtHost(registration, page['@id']), Page),
    ),
  );
  return {
    url,
    entries: pages.flatMap(({ items }) => items.map(({ catalogEntry }) => catalogEntry)),
  };
}
