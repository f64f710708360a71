import { join } from 'node:path';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { ReadAccessConfig } from '../../core/schemas/access-layout.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { Freshness, lastDayOf } from '../../core/schemas/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { SiteConfig } from '../../core/schemas/site-config.ts';
import { sentence } from '../../core/text.ts';
import { isAbsent } from './file-system.ts';
import { readDocument, type ReadResult } from './documents.ts';
import { freshnessPath, ownFreshnessPath, recordedPath, type Root } from './root.ts';

/** The releases alone. */
export function readRecorded(root: Root, component: string): ReadResult<RecordedRelease[]> {
  const { value, findings } = readRecordedData(root, component);
  return value ? { value: value.releases, findings } : { findings };
}

/** A component without a file has no releases. */
export function readRecordedData(root: Root, component: string): ReadResult<RecordedData> {
  const path = recordedPath(root, component);
  if (isAbsent(path)) return { value: { releases: [] }, findings: [] };
  const { value, findings } = readDocument(path, `data/${component}.json`, RecordedData);
  return value ? { value, findings } : { findings: sayUntouched(findings) };
}

/** Says so after the last problem: recorded days cannot be requested again. */
function sayUntouched(findings: readonly Finding[]): Finding[] {
  const last = findings.length - 1;
  return findings.map((finding, index) =>
    index < last
      ? finding
      : { ...finding, message: `${sentence(finding.message)} The file was left as it is` },
  );
}

/**
 * The recorded freshness, or a later one that this checkout has found itself. A component without a file was never gathered,
 * and freshness without data is left over from a component that was taken away, or lost its data.
 */
export function readFreshness(root: Root, component: string): ReadResult<Freshness> {
  if (isAbsent(recordedPath(root, component))) return { value: { sources: {} }, findings: [] };
  const path = freshnessPath(root, component);
  const recorded = isAbsent(path)
    ? { value: { sources: {} }, findings: [] }
    : readDocument(path, `data/freshness/${component}.json`, Freshness);
  const own = readOwnFreshness(root, component);
  if (!recorded.value || !own || lastDayOf(own) < lastDayOf(recorded.value)) return recorded;
  return { value: own, findings: [] };
}

/** A broken file counts as absent: anything in the cache may be deleted at any time. */
function readOwnFreshness(root: Root, component: string): Freshness | undefined {
  const path = ownFreshnessPath(root, component);
  return isAbsent(path) ? undefined : readDocument(path, path, Freshness).value;
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  return isAbsent(path) ? { findings: [missingConfig] } : readDocument(path, 'site/site.json', SiteConfig);
}

/** Without this file, everybody may read the site. */
export function readAccessConfig(root: Root): ReadResult<AccessConfig> {
  const path = join(root.siteDir, 'access.json');
  return isAbsent(path) ? { findings: [] } : readDocument(path, accessFile, ReadAccessConfig);
}

export const accessFile = 'site/access.json';

const missingConfig = fileProblem('site/site.json', 'no such file; its schema (site.json) describes it');
