import { z } from 'zod';
import { nextLink } from '../http/link.ts';
import { showUrl } from '../http/error.ts';
import { show } from '../model/problems.ts';
import { sha256 } from '../store/sha256.ts';
import { addressBelow } from './registry-address.ts';
import { elementsOf, readElements, readJson } from './elements.ts';
import { lookUpTimestamps, offerAll } from './look-up.ts';
import { fetchPages } from './paging.ts';
import { SourceError, type SourceContext, type SourceRelease } from './source.ts';

/** github.com/opencontainers/distribution-spec; a repository without tags is `null` to some registries. */
const TagList = z.object({ name: z.string().optional(), tags: z.array(z.unknown()).nullable() });

const Tag = z.string().regex(/^\w[\w.-]{0,127}$/, { error: 'expected a tag' });

/** The specification's "descriptor": an algorithm and what it gives. */
const Digest = z.string().regex(/^[a-z0-9+._-]+:[\w=-]+$/, { error: 'expected a digest' });

/** An index lists a manifest for each platform, and a build's attestations as the platform `unknown`. */
const Manifest = z.object({
  manifests: z
    .array(z.object({ digest: z.string(), platform: z.object({ os: z.string().optional() }).optional() }))
    .optional(),
  config: z.object({ digest: Digest }).optional(),
});

const ImageConfig = z.object({ created: z.string().nullish() });

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

export async function gatherOciRegistry(
  registryUrl: string,
  packageName: string,
  context: SourceContext,
): Promise<SourceRelease[]> {
  const authenticate = { scope: `repository:${packageName}:pull` };
  const repository = ['v2', ...packageName.split('/')];
  const url = addressBelow(registryUrl, [...repository, 'tags', 'list'], 'n=1000');
  const pages = await fetchPages(context.http, { url, accept: ['application/json'], authenticate }, nextLink);
  const lists = pages.map((page) => readJson(page, TagList));
  for (const { name } of lists) expectRepository(url, packageName, name);

  const listed = lists.flatMap(({ tags }) => tags ?? []);
  const tags = readElements(url, elementsOf(listed), Tag, context).map(({ name }) => name);
  const listedAs = offerAll(tags, context);
  const digests = new Map<string, string>();
  const releases = await lookUpTimestamps(listedAs, context, createdAt);
  return releases.map((release) => {
    const tag = listedAs.get(release.version)!;
    const digest = digests.get(tag);
    return digest === undefined ? release : { ...release, digests: { [tag]: digest } };
  });

  async function createdAt(tag: string): Promise<string | undefined> {
    const tagged = await fetchManifest(tag);
    digests.set(tag, tagged.digest);
    let { manifest } = tagged;
    const platform = manifest.manifests?.find((entry) => entry.platform?.os !== 'unknown');
    if (platform) ({ manifest } = await fetchManifest(platform.digest));
    if (!manifest.config) return undefined;
    const blob = addressBelow(registryUrl, [...repository, 'blobs', manifest.config.digest]);
    // Registries serve blobs from storage that does not know their type.
    const response = await context.http.fetch({ url: blob, accept: ['*/*'], authenticate, isKept: false });
    return readJson(response, ImageConfig).created ?? undefined;
  }

  async function fetchManifest(
    reference: string,
  ): Promise<{ manifest: z.infer<typeof Manifest>; digest: string }> {
    const url = addressBelow(registryUrl, [...repository, 'manifests', reference]);
    const response = await context.http.fetch({
      url,
      accept: manifestTypes,
      alsoAccept: ['application/json'],
      authenticate,
      isKept: false,
    });
    // The digest of a manifest is that of its bytes; not every registry says it in the header for it.
    const stated = Digest.safeParse(response.headers.get('docker-content-digest'));
    const digest = stated.success ? stated.data : `sha256:${sha256(response.body)}`;
    return { manifest: readJson(response, Manifest), digest };
  }
}

/** A registry that fronts others may add or leave out the part of the name that selects one of them. */
function expectRepository(url: string, expected: string, got: string | undefined): void {
  if (got === undefined || `/${got}`.endsWith(`/${expected}`) || `/${expected}`.endsWith(`/${got}`)) return;
  throw new SourceError(`${showUrl(url)}: expected the tags of "${expected}"; got those of ${show(got)}`);
}
