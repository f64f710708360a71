import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'ini';
import * as z from 'zod';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { show } from '../../core/schemas/problems.ts';
import { isAbsent, readIfThere, sha256 } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { accessFile, readSiteConfig } from '../../io/files/read.ts';
import { listComponents, recordedFolder, type Root } from '../../io/files/root.ts';

const Settings = z.record(z.string(), z.unknown());
const List = z.array(z.unknown());

/**
 * Each changed key of `site/site.json`, of the access rules, of the sources of definitions and of npm's configuration, in sentences:
 * a change of them may change no file yet.
 */
export function describeSettingChanges(before: Root, after: Root): string[] {
  const names = new Set([before, after].flatMap((root) => listComponents(root).names));
  const lines = ['site/site.json', accessFile].flatMap((file) =>
    compareKeys(`${file}: `, readSettings(before, file), readSettings(after, file)),
  );
  lines.push(...compareKeys('.npmrc: ', readNpmSettings(before), readNpmSettings(after)));
  for (const name of [...names].sort()) {
    const file = `components/${name}.json`;
    const [was, now] = [before, after].map((root) => readSources(root, file));
    lines.push(...compareKeys(`${file}: `, was, now));
  }
  return lines;
}

function readSettings({ dir }: Root, file: string): Record<string, unknown> {
  const path = join(dir, file);
  return (existsSync(path) && readDocument(path, file, Settings).value) || {};
}

/** Sources of releases, advisories and ends. */
function readSources(root: Root, file: string): object {
  const { sources, support } = readSettings(root, file);
  const { source } = Settings.safeParse(support).data ?? {};
  return { sources, support: { source } };
}

/** Names the registries of packages and the hosts that get a credential, never the credential. */
function readNpmSettings({ dir }: Root): Record<string, unknown> {
  const settings = parse(readIfThere(join(dir, '.npmrc'))?.toString() ?? '');
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const isCredential = key.startsWith('//') && !/^\$\{\w+\??\}$/.test(String(value));
      return [key, isCredential ? 'a credential' : value];
    }),
  );
}

function compareKeys(path: string, was: unknown, now: unknown): string[] {
  if (isDeepStrictEqual(was, now)) {
    return [];
  }

  const isList = Array.isArray(was ?? now);
  const [past, present] = [was, now].map((value) =>
    isList ? List.safeParse(value ?? []).data : Settings.safeParse(value ?? {}).data,
  ) as Record<string, unknown>[];
  if (past && present) {
    const keys = new Set([...Object.keys(past), ...Object.keys(present)]);
    return [...keys].flatMap((key) => {
      const member = path.endsWith(' ') ? key : `.${key}`;
      return compareKeys(`${path}${isList ? `[${key}]` : member}`, past[key], present[key]);
    });
  }

  const [from, to] = [was, now].map((value) => (value === undefined ? 'none' : show(value)));
  return [`${path} is ${to} (before: ${from}).`];
}

/** A change of address that needs a decision of a person. */
interface AddressChange {
  readonly id: string;
  readonly reason: string;
}

/** The decision that readers take the index from the address, and with the key, of a configuration. */
export function describeAddress({ releasesUrl, signingPublicKey }: SiteConfig): AddressChange {
  const digest = sha256(JSON.stringify([releasesUrl, signingPublicKey])).slice(0, 10);
  const key =
    signingPublicKey === undefined ? 'without a signature' : `signed by ${signingPublicKey}`;
  return { id: `site-${digest}`, reason: `the index is read from ${releasesUrl}, ${key}` };
}

/** A move of an index with recorded runs: its readers would follow to another host or trust another key. */
export function findMovedAddress(before: Root, after: Root): AddressChange | undefined {
  const [was, now] = [before, after].map((root) => readSiteConfig(root).value);
  if (!now || isAbsent(recordedFolder(before, 'runs'))) {
    return undefined;
  }

  const address = describeAddress(now);
  return was && describeAddress(was).id === address.id ? undefined : address;
}
