import semver from 'semver';
import { z } from 'zod';
import type { HttpResponse } from '../http/client.ts';
import { showUrl } from '../http/error.ts';
import { defined } from '../text.ts';
import { addressBelow } from './registry-address.ts';
import { expectPackage, readElements, readJson, type RawElement } from './elements.ts';
import { addressAtSameHost, fetchPages } from './paging.ts';
import { prereleaseBySemver } from './semver-prerelease.ts';
import { SourceError, type SourceAdapter, type SourceContext, type SourceRelease } from './source.ts';

/** learn.microsoft.com/nuget/api/service-index */
const ServiceIndex = z.object({ resources: z.array(z.object({ '@id': z.string(), '@type': z.string() })) });

/** learn.microsoft.com/nuget/api/registration-base-url-resource. A page of many versions is a document of its own. */
const Page = z.object({ items: z.array(z.unknown()) });
const PageOrAddress = Page.or(z.object({ '@id': z.string() }));
const Registration = z.object({ items: z.array(PageOrAddress) });

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

const accept = ['application/json'];

/** Version 3 of the protocol. Ids are the same in capitals and small letters. */
export const nuget: SourceAdapter<'nuget'> = {
  datasource: 'nuget',
  statesDeprecation: true,
  async gather({ packageName, registryUrl }, context) {
    const id = packageName.toLowerCase();
    const base = await registrationBase(registryUrl ?? context.defaults.nugetRegistryUrl, context);
    const url = addressBelow(base, [id, 'index.json']);

    const releases: SourceRelease[] = [];
    for (const { name, value } of readElements(url, await listedAt(url, context), CatalogEntry, context)) {
      expectPackage(url, id, value.id?.toLowerCase());
      const isPrerelease = prereleaseBySemver(name);
      const version = context.offer(name, isPrerelease);
      if (version !== undefined) releases.push(defined({ version, ...describe(value), isPrerelease }));
    }
    return releases;
  },
};

/** The resource that lists the versions of packages; the latest form of it also lists those of SemVer 2. */
async function registrationBase(registryUrl: string, { http }: SourceContext): Promise<string> {
  const response = await http.fetch({ url: registryUrl, accept });
  const { resources } = readJson(response, ServiceIndex);
  const forms = resources.flatMap(({ '@id': address, '@type': type }) => {
    const [name, form = ''] = type.split('/');
    return name === 'RegistrationsBaseUrl' ? [{ address, form: semver.parse(form)?.version ?? '0.0.0' }] : [];
  });
  const latest = forms.sort((a, b) => semver.compare(a.form, b.form)).at(-1);
  const base = addressAtSameHost(response, latest?.address, 'RegistrationsBaseUrl');
  if (base !== undefined) return base;
  throw new SourceError(
    `${showUrl(response.url)}: names no RegistrationsBaseUrl. The address should be that of version 3 of the protocol`,
  );
}

async function listedAt(url: string, { http }: SourceContext): Promise<RawElement[]> {
  let rest: string[] | undefined;
  const documents = await fetchPages(http, { url, accept }, (document) => {
    rest ??= pagesElsewhere(document);
    return rest.shift();
  });
  const [first, ...others] = documents as [HttpResponse, ...HttpResponse[]];
  const inline = readJson(first, Registration).items.flatMap((page) => ('items' in page ? page.items : []));
  const elsewhere = others.flatMap((document) => readJson(document, Page).items);
  return [...inline, ...elsewhere].map(entryOf);
}

function pagesElsewhere(registration: HttpResponse): string[] {
  const { items } = readJson(registration, Registration);
  return items.flatMap((page) =>
    'items' in page ? [] : (addressAtSameHost(registration, page['@id'], '@id') ?? []),
  );
}

function entryOf(leaf: unknown): RawElement {
  const value = (leaf as { catalogEntry?: unknown } | null)?.catalogEntry;
  return { name: (value as { version?: unknown } | null | undefined)?.version, value };
}

function describe({ published, listed, deprecation }: CatalogEntry): Omit<SourceRelease, 'version'> {
  // What its authors take out of the list is dated 1900, and can still be restored.
  const isUnlisted = listed === false || published?.startsWith('1900-') === true;
  return defined({
    releaseTimestamp: published && !published.startsWith('1900-') ? published : undefined,
    deprecated: deprecation ? reasonOf(deprecation) : isUnlisted ? 'unlisted' : undefined,
  });
}

function reasonOf({ message, reasons, alternatePackage }: NonNullable<CatalogEntry['deprecation']>): string {
  const why = message || (reasons ?? []).join(', ');
  return alternatePackage ? `${why || 'deprecated'} (use ${alternatePackage.id})` : why;
}
