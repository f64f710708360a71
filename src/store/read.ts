import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import { Freshness } from '../model/freshness.ts';
import { readRecordedData, RecordedData, type RecordedRelease } from '../model/recorded.ts';
import { SiteConfig } from '../model/site-config.ts';
import { readDocument, type ReadFile, type ReadResult } from './documents.ts';
import { definitionPath, freshnessPath, recordedPath, type Root } from './root.ts';

export function readDefinition(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<Definition> {
  return readDocument(definitionPath(root, component), `components/${component}.json`, Definition, { read });
}

/** A component without a file has no releases. */
export function readRecorded(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<RecordedRelease[]> {
  const path = recordedPath(root, component);
  if (!existsSync(path)) return { value: [], findings: [] };
  const { value, findings } = readDocument(path, `data/${component}.json`, RecordedData, {
    read,
    shortcut: (input, bytes) => (hasOneList(bytes) ? readRecordedData(input) : undefined),
  });
  return { ...(value && { value: value.releases }), findings };
}

/** Of two lists JSON.parse would take the last, and `gather` would then write over the first. */
function hasOneList(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = '"releases"';
  return text.indexOf(key, text.indexOf(key) + 1) === -1;
}

/** A component without a file was never gathered. */
export function readFreshness(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<Freshness> {
  const path = freshnessPath(root, component);
  if (!existsSync(path)) return { value: { sources: {} }, findings: [] };
  return readDocument(path, `data/freshness/${component}.json`, Freshness, { read });
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  if (!existsSync(path)) return { findings: [missingConfig] };
  return readDocument(path, 'site/site.json', SiteConfig);
}

const missingConfig: Finding = {
  level: 'error',
  subject: 'site/site.json',
  message: 'no such file; the checkout has one to copy',
  file: 'site/site.json',
};
