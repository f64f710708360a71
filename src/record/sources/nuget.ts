import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import * as z from 'zod';
import {
  defineSource,
  type RequestContext,
  type PackageSource,
  definePackage,
  matchPackage,
  SourceError,
} from './datasource.ts';
import {
  listElements,
  readReleases,
  expectPackage,
  readJson,
  readBySchema,
  OptionalText,
  readSemverPrerelease,
  type RawElement,
} from './shared/document.ts';
import type { HttpRequest } from '../../io/http/request.ts';
import { joinUrl, fetchPages, resolveAtHost } from './shared/requests.ts';

/** learn.microsoft.com/nuget/api/service-index */
const ServiceIndex = z.object({
  resources: z.array(z.object({ '@id': z.string(), '@type': z.string() })),
});

/** learn.microsoft.com/nuget/api/registration-base-url-resource. For many versions, each page is a separate document. */
const Leaf = z.object({ catalogEntry: z.unknown() }).catch({ catalogEntry: undefined });
const Page = z.object({ items: z.array(Leaf) });
const Registration = z.object({ items: z.array(Page.or(z.object({ '@id': z.string() }))) });

const CatalogEntry = z.object({
  id: z.string().optional(),
  listed: z.boolean().nullish(),
  published: z.string().nullish(),
  deprecation: z
    .object({
      reasons: z.array(z.string()).nullish(),
      message: z.string().nullish(),
      alternatePackage: z.object({ id: z.string() }).nullish(),
    })
    .nullish(),
});
type CatalogEntry = z.infer<typeof CatalogEntry>;

const Described = z.object({
  id: OptionalText,
  title: OptionalText,
  description: OptionalText,
  projectUrl: OptionalText,
});

const defaultRegistry = 'https://api.nuget.org/v3/index.json';

/** Version 3 of the protocol. Ids are case-insensitive. */
export const nuget = defineSource({
  datasource: 'nuget',
  osvEcosystem: 'NuGet',
  defaultRegistry,
  coordinates: definePackage(/^\w[\w.-]*$/, 'Example.Package', 'nuget.org', defaultRegistry),
  renovate: matchPackage,
  statesDeprecation: true,
  async gather(source, context) {
    const id = source.packageName.toLowerCase();
    const request = await findRegistration(source, context);
    const { url } = request;
    return readReleases(
      url,
      await fetchEntries(request, context),
      CatalogEntry,
      (entry, version) => {
        expectPackage(url, id, entry.id?.toLowerCase());
        return { ...readFacts(entry), isPrerelease: readSemverPrerelease(version) };
      },
    );
  },
  async describe(source, context) {
    const request = await findRegistration(source, context);

    // Registries list the greatest version last.
    const latest = (await fetchEntries(request, context)).at(-1);
    const { id, title, description, projectUrl } = readBySchema(
      request.url,
      latest?.value ?? {},
      Described,
    );
    return { title: title ?? id, description, homepage: projectUrl };
  },
});

/** The request for a package's list of versions. Uses the latest form of the resource, which also lists SemVer 2 versions. */
async function findRegistration(
  { packageName, registryUrl = defaultRegistry }: PackageSource,
  { http }: RequestContext,
): Promise<HttpRequest> {
  const response = await http.fetch({ url: registryUrl });
  const { resources } = readJson(response, ServiceIndex);
  const name = 'RegistrationsBaseUrl';
  const forms = resources.filter(({ '@type': type }) => type.split('/')[0] === name);
  const latest = forms.sort((a, b) => compare(readForm(a), readForm(b))).at(-1);
  if (!latest?.['@id']) {
    throw SourceError.at(
      response.url,
      `names no ${name}. Use the address for version 3 of the protocol`,
    );
  }

  const base = resolveAtHost(response, latest['@id'], name);
  const url = joinUrl(base, [packageName.toLowerCase(), 'index.json']);
  return { url, namedUrl: registryUrl };
}

/** The form of a resource, such as 3.6.0; the first one has no number. */
function readForm({ '@type': type }: { '@type': string }): string {
  return parse(type.split('/')[1])?.version ?? '0.0.0';
}

/** The entries of all pages, in order: of those in the list itself, and of those in documents of their own. */
async function fetchEntries(request: HttpRequest, { http }: RequestContext): Promise<RawElement[]> {
  const response = await http.fetch(request);
  const pages = readJson(response, Registration).items;
  const addresses = pages
    .filter((page) => '@id' in page)
    .map((page) => resolveAtHost(response, page['@id'], '@id'));
  const [first] = addresses;
  const separatePages =
    first === undefined
      ? []
      : await fetchPages(
          http,
          { ...request, url: first },
          Page,
          (_response, _page, readPages) => addresses[readPages.length],
        );
  const leaves = pages.flatMap((page) => ('items' in page ? page : separatePages.shift()!).items);
  return listElements(
    leaves.map(({ catalogEntry }) => catalogEntry),
    'version',
  );
}

function readFacts({ published, listed, deprecation }: CatalogEntry) {
  // nuget.org dates an unlisted version 1900. Builds can still download it.
  const isDatedUnlisted = published?.startsWith('1900-') === true;
  const isUnlisted = isDatedUnlisted || listed === false;
  const unlisted = isUnlisted ? 'unlisted' : undefined;
  return {
    releaseTimestamp: isDatedUnlisted ? undefined : published || undefined,
    deprecated: deprecation ? readReason(deprecation) : unlisted,
  };
}

function readReason({
  message,
  reasons,
  alternatePackage,
}: NonNullable<CatalogEntry['deprecation']>): string {
  const why = message || (reasons ?? []).join(', ');
  return alternatePackage ? `${why || 'deprecated'} (use ${alternatePackage.id})` : why;
}
