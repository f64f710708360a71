import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import type { Freshness } from '../model/freshness.ts';
import { isPlainDefinition } from '../model/plain/definition.ts';
import { isPlainFreshness } from '../model/plain/freshness.ts';
import { readRecordedData } from '../model/plain/recorded.ts';
import { isPlainSiteConfig } from '../model/plain/site-config.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import * as schemas from '../model/schemas.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { readDocument, ifPlain, type ReadFile, type ReadResult } from './documents.ts';
import { definitionPath, freshnessPath, recordedPath, type Root } from './root.ts';

export function readDefinition(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<Definition> {
  const name = `components/${component}.json`;
  const shortcut = ifPlain(isPlainDefinition);
  return readDocument(definitionPath(root, component), name, schemas.definition, { read, shortcut });
}

/** A component without a file has no releases. */
export function readRecorded(
  root: Root,
  component: string,
  read: ReadFile = readFileSync,
): ReadResult<RecordedRelease[]> {
  const path = recordedPath(root, component);
  if (!existsSync(path)) return { value: [], findings: [] };
  const { value, findings } = readDocument(path, `data/${component}.json`, schemas.recordedData, {
    read,
    shortcut: (input, text) => (hasOneList(text) ? readRecordedData(input) : undefined),
  });
  return { ...(value && { value: value.releases }), findings };
}

/** Of two lists JSON.parse would take the last, and `gather` would then write over the first. */
function hasOneList(text: string): boolean {
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
  const shortcut = ifPlain(isPlainFreshness);
  return readDocument(path, `data/freshness/${component}.json`, schemas.freshness, { read, shortcut });
}

export function readSiteConfig(root: Root): ReadResult<SiteConfig> {
  const path = join(root.siteDir, 'site.json');
  if (!existsSync(path)) return { findings: [missingConfig] };
  const shortcut = ifPlain(isPlainSiteConfig);
  return readDocument(path, 'site/site.json', schemas.siteConfig, { shortcut });
}

const missingConfig: Finding = {
  level: 'error',
  subject: 'site/site.json',
  message: 'no such file; the checkout has one to copy',
  file: 'site/site.json',
};
