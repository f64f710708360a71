import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import * as z from 'zod';
import {
  anyText,
  expectPackage,
  flag,
  readBySchema,
  readJson,
  readReleases,
  readSemverPrerelease,
  text,
} from '../documents.ts';
import { SourceError } from '../http/failures.ts';
import { fetchJson, joinUrl, resolveAtHost } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

/** learn.microsoft.com/nuget/api/service-index */
const ServiceIndex = z.object({
  resources: z.array(z.object({ '@id': z.string(), '@type': z.string() })),
});

/** learn.microsoft.com/nuget/api/registration-base-url-resource. Of many versions, each page is a document of its own. */
const Page = z.object({ items: z.array(z.object({ catalogEntry: z.unknown() })) });
const Registration = z.object({ items: z.array(Page.or(z.object({ '@id': z.string() }))) });

const Entry = z.object({
  id: z.string().optional(),
  version: z.string().min(1),
  listed: flag,
  published: text,
  deprecation: z
    .object({
      reasons: z.array(z.string()).nullish(),
      message: text,
      alternatePackage: z.object({ id: z.string() }).nullish(),
    })
    .nullish(),
});

export const nuget: Datasource<PackageSource> = {
  async list(source, context) {
    const { url, entries } = await fetchEntries(source, context);
    const entry = Entry.transform(({ id, version, listed, published, deprecation }) => {
      expectPackage(url, source.packageName.toLowerCase(), id?.toLowerCase());
      // nuget.org dates an unlisted version 1900. Builds can still download it.
      const isDated = published !== undefined && !published.startsWith('1900-');
      const unlisted = listed === false || published?.startsWith('1900-') ? 'unlisted' : undefined;
      return {
        version,
        releaseTimestamp: isDated ? published : undefined,
        deprecated: deprecation ? describeDeprecation(deprecation) : unlisted,
        isPrerelease: readSemverPrerelease(version),
      };
    });
    return readReleases(url, context.day, entries, entry);
  },
  async describe(source, context) {
    const { url, entries } = await fetchEntries(source, context);
    const Described = z.object({
      id: anyText,
      title: anyText,
      description: anyText,
      projectUrl: anyText,
    });
    // Registries list the greatest version last.
    const {
      id,
      title = id,
      description,
      projectUrl: homepage,
    } = readBySchema(url, entries.at(-1) ?? {}, Described);
    return { title, description, homepage };
  },
};

function describeDeprecation({
  reasons,
  message,
  alternatePackage,
}: NonNullable<z.infer<typeof Entry>['deprecation']>): string {
  const reason = message ?? reasons?.join(', ') ?? '';
  return alternatePackage ? `${reason || 'deprecated'} (use ${alternatePackage.id})` : reason;
}

/** The entries of all pages, in order. The latest form of the list also has the versions of SemVer 2. Ids are case-insensitive. */
async function fetchEntries(
  { packageName, registryUrl = 'https://api.nuget.org/v3/index.json' }: PackageSource,
  { http }: SourceContext,
) {
  const service = await http.fetch({ url: registryUrl });
  const readForm = (type: string) => parse(type.split('/')[1])?.version ?? '0.0.0';
  const [latest] = readJson(service, ServiceIndex)
    .resources.filter(({ '@type': type }) => type.split('/')[0] === 'RegistrationsBaseUrl')
    .sort((a, b) => compare(readForm(b['@type']), readForm(a['@type'])));
  if (!latest) {
    throw SourceError.at(
      service.url,
      'names no RegistrationsBaseUrl. Use the address for version 3 of the protocol',
    );
  }

  const url = joinUrl(resolveAtHost(service, latest['@id']), [
    packageName.toLowerCase(),
    'index.json',
  ]);
  const registration = await http.fetch({ url });
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
