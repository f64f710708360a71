/** Reads the settings of an index: site.json, access.json and the access keys, which it also changes. */
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isObject } from '../../core/model/objects.ts';
import { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { AccessKeys } from '../../core/schemas/access/access-keys.ts';
import { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, throwErrors } from '../../core/schemas/finding.ts';
import type { Fields } from '../../core/schemas/keys.ts';
import type { Problem } from '../../core/schemas/problems.ts';
import { makeFolder, readIfThere } from './file-system.ts';
import { lock } from './lock.ts';
import { formatDocument, saveIfChanged, saveUnlessChanged } from './save.ts';
import {
  checkDocument,
  parseDocument,
  parseIfJson,
  readDocument,
  unwrapResult,
  type ReadResult,
} from './read-documents.ts';
import type { Root } from './root.ts';

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

export const accessFile = 'site/access.json';

/** Without this file, the site is public. */
export function readAccessConfig(root: Root): ReadResult<AccessConfig> {
  const path = join(root.siteDir, 'access.json');
  const { value: written, findings } = readDocument(path, accessFile, z.unknown(), {
    findings: [],
  });
  return written === undefined
    ? { findings }
    : checkDocument(unifyLayout(written), accessFile, AccessConfig);
}

/** Undefined for a public site. Throws an `InputError` for an invalid file. */
export function readValidAccess(root: Root): AccessConfig | undefined {
  const { value, findings } = readAccessConfig(root);
  throwErrors(findings);
  return value;
}

/**
 * Accepts the layout of other servers, too, which has `externalOauth` inside `accessControl`, `accessKeys` inside `mcpServer`, and key
 * sets as text. A layer with other fields stays, and is reported as unknown.
 */
function unifyLayout(input: unknown): unknown {
  if (!isObject(input)) {
    return input;
  }

  const config = liftField(
    liftField(input, 'accessControl', 'externalOauth'),
    'mcpServer',
    'accessKeys',
  );
  const { externalOauth } = config;
  if (!isObject(externalOauth) || !Array.isArray(externalOauth['issuers'])) {
    return config;
  }

  const issuers = externalOauth['issuers'].map(parseKeySet);
  return { ...config, externalOauth: { ...externalOauth, issuers } };
}

/** Replaces a layer by its only field, unless the top has this field, too. */
function liftField(config: Fields, layerName: string, field: string): Fields {
  const { [layerName]: layer, ...topLevel } = config;
  const hasOnlyField = isObject(layer) && Object.keys(layer).join() === field;
  return hasOnlyField && !Object.hasOwn(topLevel, field) ? { ...topLevel, ...layer } : config;
}

/** A key set as text that is not JSON stays, and is reported as invalid. */
function parseKeySet(issuer: unknown): unknown {
  if (!isObject(issuer) || typeof issuer['jwkSet'] !== 'string') {
    return issuer;
  }

  return { ...issuer, jwkSet: parseIfJson(issuer['jwkSet']) ?? issuer['jwkSet'] };
}

/** The access keys. A host stores the valid ones as secrets, which nobody can read again. */
export const accessKeysFile = '.access/keys.json';

/** No value and no finding if there is no file yet. */
export function readAccessKeys(root: Root): ReadResult<AccessKeys> {
  const path = join(root.dir, accessKeysFile);
  return readDocument(path, accessKeysFile, AccessKeys, { findings: [] }, removeValue);
}

export function parseAccessKeys(bytes: Uint8Array, name: string): ReadResult<AccessKeys> {
  return parseDocument(bytes, name, AccessKeys, removeValue);
}

/** A rejected value may be a key in place of its digest: never print it. */
function removeValue({ got: _, ...problem }: Problem): Problem {
  return problem;
}

/**
 * Reads, changes and saves the keys, and repeats this if another run saved them meanwhile. `change` gets undefined where there is no
 * file. Throws an `InputError` for an invalid file.
 */
export async function changeKeys<Result>(
  root: Root,
  change: (keys: AccessKeys | undefined) => { keys: AccessKeys; result: Result },
): Promise<Result> {
  using _lock = await lock(root, 'access-keys');
  const path = join(root.dir, accessKeysFile);

  for (;;) {
    const before = readIfThere(path);
    const savedKeys = before && unwrapResult(parseAccessKeys(before, accessKeysFile));
    const { keys, result } = change(savedKeys);

    protectFolder(dirname(path));
    if (saveUnlessChanged([{ path, before, content: formatDocument(keys), mode: 0o600 }])) {
      return result;
    }
  }
}

/** Only the owner may read the keys, and git ignores their folder. */
function protectFolder(folder: string): void {
  makeFolder(folder);
  chmodSync(folder, 0o700);
  saveIfChanged(join(folder, '.gitignore'), '*\n');
}
