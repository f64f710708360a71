import * as z from 'zod';
import { readReleases } from '../read-releases.ts';
import { anyText, parseXml, readBySchema, joinUrl } from '../requests.ts';
import type { Datasource, PackageSource } from '../types.ts';

export const mavenCentral = 'https://repo.maven.apache.org/maven2/';

/** Reads an empty element, which the parser returns as '', in maven-metadata.xml (maven.apache.org/ref/current/maven-repository-metadata). */
const empty = z.literal('').transform(() => undefined);
const Versions = z.object({ version: z.array(z.unknown()).default([]) });
const Versioning = z.object({ versions: empty.or(Versions).optional() });
const Metadata = z.object({
  metadata: z.object({ versioning: empty.or(Versioning).optional() }),
});

const Entry = z
  .string()
  .min(1)
  .transform((version) => ({ version }));

/** Drops a text with a Maven property, such as `${project.artifactId}`, because its value is in a parent POM. */
const plainText = anyText.transform((value) => (value?.includes('${') ? undefined : value));
const Pom = z.object({
  project: z.object({
    name: plainText,
    description: plainText,
    url: plainText,
    scm: z.object({ url: plainText }).catch({ url: undefined }),
  }),
});

const accept = 'application/xml, text/xml';

/** Reads versions from a Maven repository. The date of a version is the date of its POM file. */
export const maven: Datasource<PackageSource> = {
  async list(source, { http }) {
    const response = await http.fetch({ url: locate(source, ['maven-metadata.xml']), accept });
    const document = parseXml(response, 'metadata.versioning.versions.version');
    const { versioning } = readBySchema(response.url, document, Metadata).metadata;
    return readReleases(response.url, versioning?.versions?.version ?? [], Entry);
  },
  async lookUp(source, { version }, { http }) {
    const url = locatePom(source, version);
    const { headers } = await http.fetch({ url, method: 'HEAD', accept });
    return { releaseTimestamp: headers.get('last-modified') ?? undefined };
  },
  async describe(source, context) {
    // A repository lists versions in the order of publication. `list` throws if there are none.
    const { version } = (await maven.list(source, context)).releases.at(-1)!;
    const response = await context.http.fetch({ url: locatePom(source, version), accept });
    const { project } = readBySchema(response.url, parseXml(response), Pom);
    return {
      title: project.name,
      description: project.description,
      homepage: project.url,
      repository: project.scm.url,
    };
  },
};

function locatePom(source: PackageSource, version: string): string {
  const [, artifactId] = source.packageName.split(':');
  return locate(source, [version, `${artifactId}-${version}.pom`]);
}

function locate(
  { packageName, registryUrl = mavenCentral }: PackageSource,
  path: readonly string[],
): string {
  const [groupId = '', artifactId = ''] = packageName.split(':');
  return joinUrl(registryUrl, [...groupId.split('.'), artifactId, ...path]);
}
