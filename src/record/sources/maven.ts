import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { addressBelow } from './registry-address.ts';
import { elementsOf, expectPackage, readDocument, readReleases } from './elements.ts';
import { describePom, parseXml, pomAddress } from './maven-pom.ts';
import { newestOf } from './listed-versions.ts';
import { defineSource, type DescribeContext } from './source.ts';
import { packageFields, type PackageCoordinates } from './coordinates.ts';

/** maven.apache.org/ref/current/maven-repository-metadata/repository-metadata.html; an element without content reads as ''. */
const empty = z.literal('').transform(() => undefined);
const Metadata = z.object({
  metadata: z.object({
    groupId: z.string().optional(),
    artifactId: z.string().optional(),
    versioning: empty
      .or(z.object({ versions: empty.or(z.object({ version: z.array(z.unknown()).optional() })).optional() }))
      .optional(),
  }),
});

const xmlTypes = ['application/xml', 'text/xml'];
/** Repositories on plain file storage know no better type. */
const looseTypes = ['text/plain', 'application/octet-stream'];

const defaultRegistry = 'https://repo.maven.apache.org/maven2/';

export const maven = defineSource({
  datasource: 'maven',
  purlType: 'maven',
  defaultRegistry,
  coordinates: packageFields(/^[\w.-]+:[\w.-]+$/, 'group:artifact', {
    default: 'Maven Central',
    example: 'https://repo.maven.apache.org/maven2/',
  }),
  timestamps: "`Last-Modified` of the version's POM, asked for once",
  renovate: ({ packageName }) => ({ matchDatasources: ['maven'], matchPackageNames: [packageName] }),
  async gather(source, context) {
    const { url, place, listed } = await fetchMetadata(source, context);
    const undescribed = () => ({});
    return readReleases(url, elementsOf(listed), z.string(), context, undescribed, async (version) => {
      const pom = pomAddress({ ...place, version });
      const { headers } = await context.http.fetch({ url: pom, method: 'HEAD', accept: ['*/*'] });
      return headers.get('last-modified');
    });
  },
  async describe(source, context) {
    const { place, folder, listed } = await fetchMetadata(source, context);
    const version = newestOf(listed.filter((name) => typeof name === 'string'));
    const stated = version === undefined ? {} : await describePom({ ...place, version }, context);
    return defined({
      title: place.artifactId,
      ...stated,
      registryPage: `${addressBelow(place.registry, folder)}/`,
    });
  },
});

async function fetchMetadata({ packageName, registryUrl }: PackageCoordinates, context: DescribeContext) {
  const [groupId, artifactId] = packageName.split(':') as [string, string];
  const registry = registryUrl ?? defaultRegistry;
  const folder = [...groupId.split('.'), artifactId];
  const url = addressBelow(registry, [...folder, 'maven-metadata.xml']);
  const response = await context.http.fetch({ url, accept: xmlTypes, alsoAccept: looseTypes });
  const document = parseXml(url, response.text(), ['metadata.versioning.versions.version']);
  const { metadata } = readDocument(url, document, Metadata);
  expectPackage(url, groupId, metadata.groupId);
  expectPackage(url, artifactId, metadata.artifactId);
  const place = { registry, groupId, artifactId };
  return { url, place, folder, listed: metadata.versioning?.versions?.version ?? [] };
}
