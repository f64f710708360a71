import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { ReadAccessConfig, type AccessConfig } from '../../core/schemas/access/access-config.ts';
import { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import {
  readFreshnessOn,
  RecordedFreshness,
  type Freshness,
} from '../../core/schemas/recorded/freshness.ts';
import { RecordedData } from '../../core/schemas/recorded/recorded.ts';
import { endSentence } from '../../core/text/wording.ts';
import { isAbsent } from './file-system.ts';
import { findLastAskedDay } from './journal-files.ts';
import { readDocument, unwrapResult, type ReadResult } from './read-documents.ts';
import { freshnessPath, recordedPath, type Root } from './root.ts';

/** A component without a file has no releases. */
export function readRecordedData(root: Root, component: string): ReadResult<RecordedData> {
  const path = recordedPath(root, component);
  const { value, findings } = readDocument(path, `data/${component}.json`, RecordedData, {
    value: { releases: [] },
    findings: [],
  });
  return value ? { value, findings } : { findings: noteUnchanged(findings) };
}

/** Adds to the last problem that the file is unchanged: recorded days cannot be requested again. */
function noteUnchanged(findings: readonly Finding[]): Finding[] {
  // A file without a value has at least one.
  const last = findings.at(-1)!;
  const message = `${endSentence(last.message)} The file was left as it is`;
  return [...findings.slice(0, -1), { ...last, message }];
}

/**
 * The freshness as of `askedOn`, the day on which the sources were last asked, by default in the last run. A component without a file
 * has never been gathered. A file without recorded data is ignored: it is left of a component that was removed, or lost its data.
 */
export function readFreshness(root: Root, component: string, askedOn?: Day): ReadResult<Freshness> {
  const path = freshnessPath(root, component);
  if (isAbsent(recordedPath(root, component)) || isAbsent(path)) {
    return { value: { sources: {} }, findings: [] };
  }

  const name = `data/freshness/${component}.json`;
  const { value, findings } = readDocument(path, name, RecordedFreshness);
  return value
    ? { value: readFreshnessOn(value, askedOn ?? findLastAskedDay(root, component)), findings }
    : { findings };
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  const name = 'site/site.json';
  return readDocument(path, name, SiteConfig, {
    findings: [fileProblem(name, 'no such file; its schema (site.json) describes it')],
  });
}

/** Throws an `InputError` where the file is missing or invalid. */
export function requireSiteConfig(root: Root): SiteConfig {
  return unwrapResult(readSiteConfig(root));
}

/** Without this file, the site is public. */
export function readAccessConfig(root: Root): ReadResult<AccessConfig> {
  const path = join(root.siteDir, 'access.json');
  return readDocument(path, accessFile, ReadAccessConfig, { findings: [] });
}

/** Undefined for a public site. Throws an `InputError` for an invalid file. */
export function requireAccessConfig(root: Root): AccessConfig | undefined {
  const { value, findings } = readAccessConfig(root);
  throwErrors(findings);
  return value;
}

export const accessFile = 'site/access.json';
