import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { type AccessConfig, ReadAccessConfig } from '../../core/schemas/access/access-config.ts';
import { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import {
  readFreshnessOn,
  RecordedFreshness,
  type Freshness,
} from '../../core/schemas/recorded/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { sentence } from '../../core/text/wording.ts';
import { isAbsent } from './file-system.ts';
import { lastAskedOn } from './journal-files.ts';
import { readDocument, type ReadResult } from './read-documents.ts';
import { freshnessPath, recordedPath, type Root } from './root.ts';

/** The recorded releases without other data. */
export function readRecorded(root: Root, component: string): ReadResult<RecordedRelease[]> {
  const { value, findings } = readRecordedData(root, component);
  return value ? { value: value.releases, findings } : { findings };
}

/** A component without a file has no releases. */
export function readRecordedData(root: Root, component: string): ReadResult<RecordedData> {
  const path = recordedPath(root, component);
  const absent = { value: { releases: [] }, findings: [] };
  const { value, findings } = readDocument(path, `data/${component}.json`, RecordedData, absent);
  return value ? { value, findings } : { findings: noteUnchanged(findings) };
}

/** Adds to the last problem that the file is unchanged: recorded days cannot be requested again. */
function noteUnchanged(findings: readonly Finding[]): Finding[] {
  const last = findings.length - 1;
  return findings.map((finding, index) =>
    index < last
      ? finding
      : { ...finding, message: `${sentence(finding.message)} The file was left as it is` },
  );
}

/**
 * The freshness as of the last day on which the component was asked, `askedOn`, by default that of the last run. The publishing run has never gathered a component without a file. Freshness without
 * data is a leftover: the component was removed, or lost its data.
 */
export function readFreshness(root: Root, component: string, askedOn?: Day): ReadResult<Freshness> {
  const [path, name] = [freshnessPath(root, component), `data/freshness/${component}.json`];
  if (isAbsent(recordedPath(root, component)) || isAbsent(path)) {
    return { value: { sources: {} }, findings: [] };
  }

  const { value, findings } = readDocument(path, name, RecordedFreshness);
  return value
    ? { value: readFreshnessOn(value, askedOn ?? lastAskedOn(root, component)), findings }
    : { findings };
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  const name = 'site/site.json';
  const missing = fileProblem(name, 'no such file; its schema (site.json) describes it');
  return readDocument(path, name, SiteConfig, { findings: [missing] });
}

/** Without this file, the site is public. */
export function readAccessConfig(root: Root): ReadResult<AccessConfig> {
  const path = join(root.siteDir, 'access.json');
  return readDocument(path, accessFile, ReadAccessConfig, { findings: [] });
}

export const accessFile = 'site/access.json';
