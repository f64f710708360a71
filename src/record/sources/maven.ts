import * as z from 'zod';
import { dropUndefined } from '../../core/model/objects.ts';
import { findLatestVersion } from '../../core/model/prerelease.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { answerIfAbsent } from '../../io/http/error.ts';
import {
  defineSource,
  definePackage,
  matchPackage,
  type PackageSource,
  type RequestContext,
  SourceError,
} from './datasource.ts';
import {
  listElements,
  readReleases,
  expectFewParts,
  expectPackage,
  readBySchema,
  OptionalText,
} from './shared/document.ts';
import { fileTypes, joinUrl } from './shared/requests.ts';

/** The parser reads an empty element as ''. */
const empty = z.literal('').transform(() => undefined);

/** maven.apache.org/ref/current/maven-repository-metadata/repository-metadata.html */
const Metadata = z.object({
  metadata: z.object({
    groupId: z.string().optional(),
    artifactId: z.string().optional(),
    versioning: empty
      .or(
        z.object({
          versions: empty.or(z.object({ version: z.array(z.unknown()).optional() })).optional(),
        }),
      )
      .optional(),
  }),
});

/** A page for people in place of a file, such as a form to sign in, has another type. */
const xmlTypes = { accept: ['application/xml', 'text/xml'], alsoAccept: fileTypes };

const defaultRegistry = 'https://repo.maven.apache.org/maven2/';

export const maven = defineSource({
  datasource: 'maven',
  osvEcosystem: 'Maven',
  defaultRegistry,
  coordinates: definePackage(
    /^[\w.-]+:[\w.-]+$/,
    'group:artifact',
    'Maven Central',
    defaultRegistry,
  ),
  renovate: matchPackage,
  async gather(source, context) {
    const { url, artifact, versions } = await fetchMetadata(source, context);
    return readReleases(url, listElements(versions), z.string(), (version) => ({
      async *requestFacts() {
        const pom = createPomAddress({ ...artifact, version });
        const { headers } = await context.http.fetch({ url: pom, method: 'HEAD', ...xmlTypes });
        yield { releaseTimestamp: headers.get('last-modified') };
      },
    }));
  },
  async describe(source, context) {
    const { artifact, folder, versions } = await fetchMetadata(source, context);
    const version = findLatestVersion(versions);
    const described =
      version === undefined ? {} : await describePom({ ...artifact, version }, context);
    return {
      title: artifact.artifactId,
      ...described,
      registryPage: `${joinUrl(artifact.registry, folder)}/`,
    };
  },
});

async function fetchMetadata({ packageName, registryUrl }: PackageSource, context: RequestContext) {
  // The schema admits one colon.
  const [groupId, artifactId] = packageName.split(':') as [string, string];
  const registry = registryUrl ?? defaultRegistry;
  const folder = [...groupId.split('.'), artifactId];
  const url = joinUrl(registry, [...folder, 'maven-metadata.xml']);
  const response = await context.http.fetch({ url, ...xmlTypes });
  const document = await parseXml(url, response.text());
  const { metadata } = readBySchema(url, document, Metadata);
  expectPackage(url, groupId, metadata.groupId);
  expectPackage(url, artifactId, metadata.artifactId);
  const artifact = { registry, groupId, artifactId };
  return { url, artifact, folder, versions: metadata.versioning?.versions?.version ?? [] };
}

interface Artifact {
  registry: string;
  groupId: string;
  artifactId: string;
  version: string;
}

const Name = z.string().regex(/^[\w.-]+$/);

/** maven.apache.org/pom.html */
const Pom = z.object({
  project: z.object({
    name: OptionalText,
    description: OptionalText,
    url: OptionalText,
    scm: z.object({ url: OptionalText, connection: OptionalText }).optional().catch(undefined),
    parent: z
      .object({ groupId: Name, artifactId: Name, version: Name })
      .optional()
      .catch(undefined),
  }),
});

function createPomAddress({ registry, groupId, artifactId, version }: Artifact): string {
  return joinUrl(registry, [
    ...groupId.split('.'),
    artifactId,
    version,
    `${artifactId}-${version}.pom`,
  ]);
}

/**
 * The description in a version's POM. Missing addresses come from its parent, without Maven's appended module name, which often
 * leads nowhere. The parent's name and description are not used: they are about the parent.
 */
async function describePom(artifact: Artifact, context: RequestContext) {
  const { parent, ...pom } = await readPom(artifact, artifact, context);
  // A parent may be in another registry.
  const inherited =
    parent &&
    (await readPom({ ...artifact, ...parent }, artifact, context).catch(
      answerIfAbsent(() => undefined),
    ));

  return dropUndefined({
    ...pom,
    homepage: pom.homepage ?? inherited?.homepage,
    repository: pom.repository ?? inherited?.repository,
  });
}

/** Maven resolves an inherited text with the properties of the artifact that inherits it. */
async function readPom(source: Artifact, artifact: Artifact, { http }: RequestContext) {
  const url = createPomAddress(source);
  const text = (await http.fetch({ url, ...xmlTypes })).text();
  const { project } = readBySchema(url, await parseXml(url, text), Pom);
  const { name, description, url: homepage, scm, parent } = project;
  return {
    title: resolveText(name, artifact),
    description: resolveText(description, artifact),
    homepage: resolveText(homepage, artifact),
    repository: resolveText(scm?.url, artifact) ?? resolveText(scm?.connection, artifact),
    parent,
  };
}

/** Resolves the properties that every POM has; undefined if other properties remain. */
function resolveText(
  value: string | undefined,
  { groupId, artifactId, version }: Artifact,
): string | undefined {
  const properties = new Map(Object.entries({ groupId, artifactId, version }));
  const text = value?.replaceAll(
    /\$\{(?:project|pom)\.(\w+)\}/g,
    (whole, key: string) => properties.get(key) ?? whole,
  );
  return text?.includes('${') ? undefined : text;
}

/**
 * Reads XML with all values as text. Rejects a DOCTYPE: its entities can expand without end, and repositories use none. The parser
 * accepts malformed documents, hence the validator.
 */
async function parseXml(url: string, text: string): Promise<unknown> {
  // Loaded on demand: it has 35 files, and commands that ask nobody load every datasource.
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (/<!DOCTYPE/i.test(text)) {
    throw SourceError.at(
      url,
      'contains <!DOCTYPE, which this kind of document never needs. Not read',
    );
  }

  expectFewParts(url, text, /</g, 500_000);

  const validity = XMLValidator.validate(text);
  if (validity !== true) {
    throw SourceError.at(
      url,
      `is not well-formed XML: ${toLine(validity.err.msg, 200)} (line ${validity.err.line})`,
    );
  }

  const parser = new XMLParser({
    ignoreDeclaration: true,
    // Otherwise 1.10 becomes the number 1.1.
    parseTagValue: false,
    // A list of one version is a list, too.
    isArray: (_name, path) => String(path) === 'metadata.versioning.versions.version',
  });

  try {
    return parser.parse(text);
  } catch (error) {
    // The parser throws plain errors, for instance for elements nested a hundred deep.
    throw SourceError.at(url, `cannot be read as XML: ${toLine((error as Error).message, 200)}`, {
      cause: error,
    });
  }
}
