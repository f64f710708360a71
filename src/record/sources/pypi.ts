import { z } from 'zod';
import { defined } from '../../core/text.ts';
import { addressBelow } from './registry-address.ts';
import {
  earliest,
  elementsByName,
  expectPackage,
  fetchJson,
  readReleases,
  statedDigests,
  Stated,
} from './elements.ts';
import { defineSource } from './source.ts';
import { packageFields, type PackageCoordinates } from './coordinates.ts';

/** docs.pypi.org/api/json */
const Project = z.object({
  info: z.object({ name: z.string().optional() }).optional(),
  releases: z.record(z.string(), z.unknown()),
});

/** What a project says of itself. Its links have labels of its own choice. */
const Described = z.object({
  info: z.object({
    name: Stated,
    summary: Stated,
    home_page: Stated,
    package_url: Stated,
    project_urls: z.record(z.string(), Stated).nullish().catch(undefined),
  }),
});

/** packaging.python.org/specifications/well-known-project-urls */
const labels = {
  homepage: ['homepage'],
  changelogUrl: ['changelog', 'changes', 'whatsnew', 'history', 'releasenotes'],
  repository: ['source', 'repository', 'sourcecode', 'github'],
};

/** `upload_time` is in UTC as well, without saying so; older servers have only that. */
const ReleaseFile = z.object({
  upload_time: z.string().nullish(),
  upload_time_iso_8601: z.string().nullish(),
  yanked: z.boolean().nullish(),
  yanked_reason: z.string().nullish(),
  filename: z.string().optional().catch(undefined),
  digests: z.object({ sha256: z.string().optional() }).optional().catch(undefined),
});
type ReleaseFile = z.infer<typeof ReleaseFile>;

const defaultRegistry = 'https://pypi.org/pypi/';

export const pypi = defineSource({
  datasource: 'pypi',
  purlType: 'pypi',
  defaultRegistry,
  coordinates: packageFields(/^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/, 'project', {
    default: 'PyPI',
    example: 'https://pypi.org/pypi/',
  }),
  timestamps: 'upload of the earliest file',
  renovate: ({ packageName }) => ({
    matchDatasources: ['pypi'],
    matchPackageNames: [normalise(packageName)],
  }),
  statesDeprecation: true,
  async gather(source, context) {
    const url = addressOf(source);
    const { info, releases } = await fetchJson(context.http, url, Project);
    expectPackage(
      url,
      normalise(source.packageName),
      info?.name === undefined ? undefined : normalise(info.name),
    );
    return readReleases(url, elementsByName(releases), z.array(ReleaseFile), context, describeFiles);
  },
  async describe(source, context) {
    const url = addressOf(source);
    const { info } = await fetchJson(context.http, url, Described);
    expectPackage(url, normalise(source.packageName), info.name && normalise(info.name));
    const stated = Object.entries(info.project_urls ?? {}).map(
      ([label, link]) => [plain(label), link] as const,
    );
    const labelled = (wanted: readonly string[]) => stated.find(([label]) => wanted.includes(label))?.[1];
    return defined({
      title: info.name,
      description: info.summary,
      homepage: labelled(labels.homepage) ?? info.home_page,
      changelogUrl: labelled(labels.changelogUrl),
      repository: labelled(labels.repository),
      registryPage: info.package_url,
    });
  },
});

/** As the specification compares labels. */
function plain(label: string): string {
  return label.toLowerCase().replaceAll(/[\p{P}\p{S}\s]/gu, '');
}

function addressOf({ packageName, registryUrl }: PackageCoordinates): string {
  return addressBelow(registryUrl ?? defaultRegistry, [packageName, 'json']);
}

function describeFiles(files: readonly ReleaseFile[]) {
  const uploads = files.flatMap((file) => file.upload_time_iso_8601 ?? file.upload_time ?? []);
  const isYanked = files.length > 0 && files.every((file) => file.yanked === true);
  const reason = files.map((file) => file.yanked_reason).find(Boolean) ?? '';
  return {
    releaseTimestamp: earliest(uploads),
    deprecated: isYanked ? reason : undefined,
    digests: statedDigests(files.map((file) => [file.filename, file.digests?.sha256])),
  };
}

/** packaging.python.org, "Name normalization" (PEP 503): the project `Agent_X` is the project `agent-x`. */
function normalise(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
