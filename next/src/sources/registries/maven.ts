import { findLatestVersion } from '../documents.ts';
import * as z from 'zod';
import { anyText, expectPackage, parseXml, readBySchema, readReleases } from '../documents.ts';
import { joinUrl } from '../requests.ts';
import type { Datasource, PackageSource, SourceContext } from '../types.ts';

/** maven.apache.org/ref/current/maven-repository-metadata. The parser reads an empty element as ''. */
const empty = z.literal('').transform(() => undefined);
const Versions = z.object({ version: z.array(z.unknown()).default([]) });
const Metadata = z.object({
  metadata: z.object({
    groupId: anyText,
    artifactId: anyText,
    versioning: empty.or(z.object({ versions: empty.or(Versions).optional() })).optional(),
  }),
});

const accept = 'application/xml, text/xml';

/** The day of a version is that of its POM. */
export const maven: Datasource<PackageSource> = {
  async list(source, context) {
    const { url, versions } = await fetchMetadata(source, context);
    return readReleases(
      url,
      context.day,
      versions,
      z
        .string()
        .min(1)
        .transform((version) => ({ version })),
    );
  },
  async lookUp(source, { version }, { http }) {
    const { headers } = await http.fetch({
      url: createPomUrl(source, version),
      method: 'HEAD',
      accept,
    });
    return { releaseTimestamp: headers.get('last-modified') ?? undefined };
  },
  async describe(source, context) {
    const { versions } = await fetchMetadata(source, context);
    const version = findLatestVersion(versions);
    if (version === undefined) {
      return {};
    }

    const response = await context.http.fetch({ url: createPomUrl(source, version), accept });
    const Pom = z.object({
      project: z.object({
        name: anyText,
        description: anyText,
        url: anyText,
        scm: z.object({ url: anyText }).catch({ url: undefined }),
      }),
    });
    const { name, description, url, scm } = readBySchema(
      response.url,
      parseXml(response, ''),
      Pom,
    ).project;
    // A property of Maven, such as `${project.artifactId}`, needs its parents.
    const known = (text: string | undefined) => (text?.includes('${') ? undefined : text);
    return {
      title: known(name),
      description: known(description),
      homepage: known(url),
      repository: known(scm.url),
    };
  },
};

async function fetchMetadata(source: PackageSource, { http }: SourceContext) {
  const { registry, groupId, artifactId, folder } = locate(source);
  const response = await http.fetch({
    url: joinUrl(registry, [...folder, 'maven-metadata.xml']),
    accept,
  });
  const document = parseXml(response, 'metadata.versioning.versions.version');
  const { metadata } = readBySchema(response.url, document, Metadata);
  expectPackage(response.url, groupId, metadata.groupId);
  expectPackage(response.url, artifactId, metadata.artifactId);
  return { url: response.url, versions: metadata.versioning?.versions?.version ?? [] };
}

function createPomUrl(source: PackageSource, version: string): string {
  const { registry, artifactId, folder } = locate(source);
  return joinUrl(registry, [...folder, version, `${artifactId}-${version}.pom`]);
}

function locate({
  packageName,
  registryUrl = 'https://repo.maven.apache.org/maven2/',
}: PackageSource) {
  const [groupId = '', artifactId = ''] = packageName.split(':');
  return {
    registry: registryUrl,
    groupId,
    artifactId,
    folder: [...groupId.split('.'), artifactId],
  };
}
