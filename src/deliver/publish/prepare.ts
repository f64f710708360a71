import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestInputs } from '../../site/inputs.ts';
import { checkSite } from '../check/built-site.ts';
import { PublishedComponent, readPublishedIndex, type PublishedIndex } from './diff.ts';
import { hostingFor, type Hosting } from '../host/hosting.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { placeholdersIn, type SiteConfig } from '../../core/schemas/site-config.ts';
import { unservedFiles } from '../../site/render/headers.ts';
import { digestsFile, parseDigests } from '../../site/digests.ts';
import { describedComponents, signedPaths } from '../../site/own-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { compareWithRebuild } from './rebuild.ts';

/** A built site that may be published, as far as can be told without the network. */
export interface PreparedSite {
  hosting: Hosting;
  asOf: string;
  digests: ReadonlyMap<string, string>;
  index: PublishedIndex;
}

export interface PrepareInput {
  root: Root;
  out: string;
  config: SiteConfig;
  /** Where it is to be published. */
  baseUrl: string;
  /** It will be signed, which adds files. */
  isSigned: boolean;
}

/** Returns all reasons against publication at once; the site only where there are none. */
export async function prepareSite({ root, out, config, baseUrl, isSigned }: PrepareInput): Promise<{
  site?: PreparedSite;
  findings: Finding[];
}> {
  const unknown = placeholdersIn(config).map((message) => problem('site/site.json', message));
  if (unknown.length > 0) return { findings: unknown };
  const { names } = listComponents(root);
  const findings = checkSite(out, { components: names, inputs: digestInputs(root), baseUrl });
  if (findings.length > 0) return { findings };
  let hosting: Hosting;
  try {
    hosting = hostingFor(baseUrl);
  } catch (error) {
    return { findings: [problem('site/site.json', (error as Error).message)] };
  }
  const digests = parseDigests(readFileSync(join(out, digestsFile), 'utf8'));
  const missing = [...unservedFiles].filter((path) => !existsSync(join(out, path)));
  if (missing.length > 0)
    return { findings: missing.map((path) => problem(path, 'is missing; build the site again')) };
  const toSend = [...digests.keys(), digestsFile, ...(isSigned ? signedPaths(digests.keys()) : [])];
  const limits = checkHostLimits(out, toSend, config.hosting?.plan ?? 'free');
  if (limits.length > 0) return { findings: limits };
  const { asOf } = readJson(out, 'status.json') as StatusFile;
  const different = compareWithRebuild({ root, out, asOf, baseUrl });
  if (different.length > 0) return { findings: different };
  return {
    site: {
      hosting,
      asOf,
      digests,
      index: new Map([
        ...(await readPublishedIndex((path, schema) => schema.parse(readJson(out, path)))),
        ...earlierNames(out, names, digests),
      ]),
    },
    findings,
  };
}

/** Components that are published under an earlier name as well, so that nobody loses the old address. */
function earlierNames(
  out: string,
  names: readonly string[],
  digests: ReadonlyMap<string, string>,
): PublishedIndex {
  const earlier = describedComponents(digests.keys()).filter((name) => !names.includes(name));
  return new Map(earlier.map((name) => [name, PublishedComponent.parse(readJson(out, `${name}.json`))]));
}

function readJson(out: string, path: string): unknown {
  return JSON.parse(readFileSync(join(out, path), 'utf8'));
}
