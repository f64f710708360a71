import { z } from 'zod';
import { parseTimestamp } from '../timestamps.ts';
import { addressBelow } from './address.ts';
import { expectPackage, readElements, readJson } from './elements.ts';
import type { SourceAdapter, SourceRelease } from './source.ts';

/** docs.pypi.org/api/json */
const Project = z.object({
  info: z.object({ name: z.string().optional() }).optional(),
  releases: z.record(z.string(), z.unknown()),
});

const ReleaseFile = z.object({
  upload_time_iso_8601: z.string().nullish(),
  yanked: z.boolean().nullish(),
  yanked_reason: z.string().nullish(),
});
type ReleaseFile = z.infer<typeof ReleaseFile>;

export const pypi: SourceAdapter<'pypi'> = {
  datasource: 'pypi',
  async gather({ packageName, registryUrl }, context) {
    const url = addressBelow(registryUrl ?? context.defaults.pypiRegistryUrl, [packageName, 'json']);
    const response = await context.http.fetch({ url, accept: ['application/json'] });
    const project = readJson(response, Project);
    const name = project.info?.name;
    expectPackage(url, normalise(packageName), name === undefined ? undefined : normalise(name));

    const listed = Object.entries(project.releases).map(([version, files]) => ({
      name: version,
      value: files,
    }));
    const releases: SourceRelease[] = [];
    for (const element of readElements(url, listed, z.array(ReleaseFile), context)) {
      const version = context.offer(element.name);
      if (version !== undefined) releases.push({ version, ...describeFiles(element.value) });
    }
    return { releases, accept: () => response.accept() };
  },
};

function describeFiles(files: readonly ReleaseFile[]): Omit<SourceRelease, 'version'> {
  const stated = files.map((file) => file.upload_time_iso_8601).filter((time) => typeof time === 'string');
  const uploads = stated.map((time) => parseTimestamp(time)).filter((time) => time !== undefined);
  // Where none can be read, the first is handed on, to be refused by its own words.
  const earliest = uploads.sort()[0] ?? stated[0];
  const isYanked = files.length > 0 && files.every((file) => file.yanked === true);
  return {
    ...(earliest !== undefined && { releaseTimestamp: earliest }),
    ...(isYanked && { deprecated: files.map((file) => file.yanked_reason).find(Boolean) ?? '' }),
  };
}

/** packaging.python.org, "Name normalization" (PEP 503): the project `Agent_X` is the project `agent-x`. */
function normalise(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
