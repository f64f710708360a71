import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import { Freshness } from '../model/freshness.ts';
import { readRecordedData, RecordedData, type RecordedRelease } from '../model/recorded.ts';
import { SiteConfig } from '../model/site-config.ts';
import { parseDocument, type ReadResult } from './documents.ts';
import { definitionPath, freshnessPath, recordedPath, type Root } from './root.ts';

/** Where the bytes of a file come from, for those who have read it already. */
export type ReadFile = (path: string) => Uint8Array;

export function readDefinition(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<Definition> {
  return parseDocument(read(definitionPath(root, component)), `components/${component}.json`, Definition);
}

/** A component without a file has no releases. */
export function readRecorded(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<RecordedRelease[]> {
  const path = recordedPath(root, component);
  if (!existsSync(path)) return { value: [], findings: [] };
  const { value, findings } = parseDocument(
    read(path),
    `data/${component}.json`,
    RecordedData,
    readRecordedData,
  );
  return { ...(value && { value: value.releases }), findings };
}

/** A component without a file was never gathered. */
export function readFreshness(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<Freshness> {
  const path = freshnessPath(root, component);
  if (!existsSync(path)) return { value: { sources: {} }, findings: [] };
  return parseDocument(read(path), `data/freshness/${component}.json`, Freshness);
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  if (!existsSync(path)) return { findings: [missingConfig] };
  return parseDocument(readFileSync(path), 'site/site.json', SiteConfig);
}

const missingConfig: Finding = {
  level: 'error',
  subject: 'site/site.json',
  message: 'no such file; the checkout has one to copy',
  file: 'site/site.json',
};
