import * as z from 'zod';
import { normalisePypi } from '../../core/model/package-names.ts';
import { HttpError, answerIfAbsent } from '../../io/http/error.ts';
import {
  defineSource,
  type PackageSource,
  definePackage,
  type SourceContext,
  type SourceAnswer,
} from './datasource.ts';
import { findEarliest } from '../../core/model/timestamps.ts';
import {
  toElements,
  readReleases,
  expectPackage,
  readJson,
  OptionalText,
  collectDigests,
} from './shared/document.ts';
import { joinUrl, fetchJson } from './shared/requests.ts';

const defaultRegistry = 'https://pypi.org/pypi/';

export const pypi = defineSource({
  datasource: 'pypi',
  osvEcosystem: 'PyPI',
  defaultRegistry,
  coordinates: definePackage(
    /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/,
    'project',
    'PyPI',
    defaultRegistry,
  ),
  renovate: ({ packageName }) => ({
    matchDatasources: ['pypi'],
    matchPackageNames: [normalisePypi(packageName)],
  }),
  statesDeprecation: true,
  async gather(source, context) {
    try {
      return await gatherByIndex(source, context);
    } catch (error) {
      // A registry whose Index API is missing, or only in HTML, may have the older document.
      if (!(error instanceof HttpError) || !['absent', 'content'].includes(error.kind)) {
        throw error;
      }

      // Without that document, too, the first error tells more.
      return gatherByDocument(source, context).catch(answerIfAbsent(() => Promise.reject(error)));
    }
  },
  async describe(source, context) {
    const { document: url } = listAddresses(source);
    const { info } = await fetchJson(context.http, url, Described);
    expectProject(url, source, info.name);
    const links = info.project_urls ?? {};
    return {
      title: info.name,
      description: info.summary,
      homepage: findLink(links, labels.homepage) ?? info.home_page,
      changelogUrl: findLink(links, labels.changelogUrl),
      repository: findLink(links, labels.repository),
      registryPage: info.package_url,
    };
  },
});

/** A project's own description. It can label its links freely. */
const Described = z.object({
  info: z.object({
    name: OptionalText,
    summary: OptionalText,
    home_page: OptionalText,
    package_url: OptionalText,
    project_urls: z.record(z.string(), OptionalText).nullish().catch(undefined),
  }),
});

/** packaging.python.org/specifications/well-known-project-urls */
const labels = {
  homepage: ['homepage'],
  changelogUrl: ['changelog', 'changes', 'whatsnew', 'history', 'releasenotes'],
  repository: ['source', 'repository', 'sourcecode', 'github'],
};

/** The first link with one of the labels, compared as in the specification. */
function findLink(links: Record<string, string | undefined>, normalisedLabels: readonly string[]) {
  const label = Object.keys(links).find((key) =>
    normalisedLabels.includes(key.toLowerCase().replaceAll(/[\p{P}\p{S}\s]/gu, '')),
  );
  return label === undefined ? undefined : links[label];
}

/**
 * The addresses of the index and the document. Registries have both below one address: `https://host/pypi/` and
 * `https://host/simple/`, in devpi `https://host/+simple/`.
 */
function listAddresses({ packageName, registryUrl = defaultRegistry }: PackageSource) {
  const [, base = registryUrl, folder] = /^(.*\/)(pypi|\+?simple)\/?$/.exec(registryUrl) ?? [];
  const index = folder?.endsWith('simple') ? registryUrl : joinUrl(base, ['simple']);
  const documents = folder === undefined ? registryUrl : joinUrl(base, ['pypi']);
  return {
    index: `${joinUrl(index, [normalisePypi(packageName)])}/`,
    document: joinUrl(documents, [packageName, 'json']),
  };
}

/** The Index API in JSON (packaging.python.org/specifications/simple-repository-api), with the project's status (PEP 792). */
const Index = z.object({
  name: z.string().optional(),
  'project-status': z
    .object({ status: z.string(), reason: z.string().nullish() })
    .optional()
    .catch(undefined),
  versions: z.array(z.string()).optional(),
  files: z.array(z.unknown()),
});
type Index = z.infer<typeof Index>;

const Hashes = z.object({ sha256: z.string().optional() }).optional().catch(undefined);

/** A file with the keys of the Index API and of the older document. `upload_time` is in UTC without a zone. */
const File = z.object({
  filename: z.string().optional().catch(undefined),
  hashes: Hashes,
  digests: Hashes,
  yanked: z.union([z.boolean(), z.string()]).nullish().catch(undefined),
  yanked_reason: z.string().nullish(),
  'upload-time': z.string().nullish(),
  upload_time_iso_8601: z.string().nullish(),
  upload_time: z.string().nullish(),
});

async function gatherByIndex(source: PackageSource, context: SourceContext): Promise<SourceAnswer> {
  const { index: url } = listAddresses(source);
  const type = 'application/vnd.pypi.simple.v1+json';
  const response = await context.http.fetch({
    url,
    accept: [type],
    alsoAccept: ['application/json'],
  });

  const index = readJson(response, Index);
  expectProject(url, source, index.name);
  const { 'project-status': status } = index;
  const byVersion = groupByVersion(index, source.packageName);

  const deprecated = describeStatus(status);
  const { listedBefore } = context;

  // PyPI lists no file of a quarantined project.
  if (status?.status === 'quarantined' && byVersion.size === 0 && listedBefore.length > 0) {
    return {
      releases: listedBefore.map((name) => ({ name, isRecorded: true, deprecated })),
    };
  }

  return readReleases(url, toElements(byVersion), z.array(File), (files) => {
    const described = describeFiles(files);
    return { ...described, deprecated: deprecated ?? described.deprecated };
  });
}

/** Why no version of a project should be used, if its status says so. */
function describeStatus(status: Index['project-status']) {
  if (status?.status !== 'quarantined' && status?.status !== 'deprecated') {
    return undefined;
  }

  const end = status.reason ? `: ${status.reason}` : '.';
  return `The project is ${status.status}${end}`;
}

const NamedFile = z.object({ filename: z.string() });

/** The files of each version. Where the index lists versions (PEP 700), a file whose name spells none of them has no part. */
function groupByVersion({ versions = [], files }: Index, packageName: string) {
  const byVersion = new Map<string, unknown[]>(versions.map((version) => [version, []]));
  const byKey = new Map(versions.map((version) => [createVersionKey(version), version]));

  for (const file of files) {
    const { filename = '' } = NamedFile.safeParse(file).data ?? {};
    const fileVersion = readVersionIn(filename, packageName) ?? '';
    const version = versions.length === 0 ? fileVersion : byKey.get(createVersionKey(fileVersion));
    if (!version) {
      continue;
    }

    const versionFiles = byVersion.get(version) ?? [];
    versionFiles.push(file);
    byVersion.set(version, versionFiles);
  }

  return byVersion;
}

/**
 * The version in `example_agent-1.0-py3-none-any.whl` or `example-agent-1.0.tar.gz` (packaging.python.org, "File name convention" of
 * wheels and source distributions). Eggs are named like wheels.
 */
function readVersionIn(filename: string, packageName: string): string | undefined {
  const anySpelling = normalisePypi(packageName).replaceAll('-', '[-_.]+');
  const [, afterName] = new RegExp(`^${anySpelling}-(.+)$`, 'i').exec(filename) ?? [];
  if (afterName === undefined) {
    return undefined;
  }

  const built = /^([^-]+)-.*\.(?:whl|egg)$/i.exec(afterName);
  const source = /^(.+)\.(?:tar\.\w+|tgz|zip)$/i.exec(afterName);

  // An archive of a build ends with its platform: `1.0.linux-x86_64`, `1.0.macosx-10.9-universal2`.
  return built?.[1] ?? source?.[1]?.split(/\.(?:linux|macosx|win)/i, 1)[0];
}

/** File names replace some characters of a version. */
function createVersionKey(version: string): string {
  return version.toLowerCase().replaceAll(/[-_+]/g, '.');
}

/** docs.pypi.org/api/json */
const Project = z.object({
  info: z.object({ name: z.string().optional() }).optional(),
  releases: z.record(z.string(), z.unknown()),
});

async function gatherByDocument(source: PackageSource, context: SourceContext) {
  const { document: url } = listAddresses(source);
  const { info, releases } = await fetchJson(context.http, url, Project);
  expectProject(url, source, info?.name);
  return readReleases(url, toElements(Object.entries(releases)), z.array(File), describeFiles);
}

function expectProject(
  url: string,
  { packageName }: PackageSource,
  name: string | undefined,
): void {
  expectPackage(url, normalisePypi(packageName), name && normalisePypi(name));
}

function describeFiles(files: readonly z.infer<typeof File>[]) {
  const reasons = files.map(({ yanked, yanked_reason: reason }) =>
    yanked ? reason || yanked : false,
  );
  const reason = reasons.find((text) => typeof text === 'string');
  const isYanked = files.length > 0 && reasons.every(Boolean);
  const times = files.map(
    (file) => file['upload-time'] ?? file.upload_time_iso_8601 ?? file.upload_time,
  );
  return {
    releaseTimestamp: findEarliest(times),
    deprecated: isYanked ? (reason ?? '') : undefined,
    digests: collectDigests(
      files.map(({ filename, hashes, digests = hashes }) => [filename, digests?.sha256]),
    ),
  };
}
