import { z } from 'zod';
import { addressBelow } from './registry-address.ts';
import { elementsOf, expectPackage, readDocument, readElements } from './elements.ts';
import { lookUpTimestamps, offerAll } from './look-up.ts';
import type { SourceAdapter } from './source.ts';
import { parseXml } from './parse-xml.ts';

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

export const maven: SourceAdapter<'maven'> = {
  datasource: 'maven',
  async gather({ packageName, registryUrl }, context) {
    const [groupId, artifactId] = packageName.split(':') as [string, string];
    const registry = registryUrl ?? context.defaults.mavenRegistryUrl;
    const folder = [...groupId.split('.'), artifactId];
    const url = addressBelow(registry, [...folder, 'maven-metadata.xml']);
    const response = await context.http.fetch({ url, accept: xmlTypes, alsoAccept: looseTypes });
    const document = parseXml(url, response.text(), ['metadata.versioning.versions.version']);
    const { metadata } = readDocument(url, document, Metadata);
    expectPackage(url, groupId, metadata.groupId);
    expectPackage(url, artifactId, metadata.artifactId);

    const listed = metadata.versioning?.versions?.version ?? [];
    const names = readElements(url, elementsOf(listed), z.string(), context).map(({ name }) => name);
    return lookUpTimestamps(offerAll(names, context), context, async (name) => {
      const pom = addressBelow(registry, [...folder, name, `${artifactId}-${name}.pom`]);
      const { headers } = await context.http.fetch({ url: pom, method: 'HEAD', accept: ['*/*'] });
      return headers.get('last-modified');
    });
  },
};
