/**
 * Makes components/, data/ and the settings of this index of those of an index in its former form.
 *
 * usage: node .ci/convert.ts <folder of the former index> [<folder of this index>]
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatJson, saveFile } from '../src/core/files.ts';
import type { Freshness, Recorded, SourceFreshness } from '../src/core/schema/recorded.ts';
import { openData } from '../src/record/files.ts';

interface FormerRelease {
  version: string;
  releaseTimestamp?: string;
  timestampKind?: 'published' | 'observed';
  notListedOn?: string;
  firstSeen?: string;
  source?: string;
  alsoListedBy?: string[];
  changelogUrl?: string;
  isPrerelease?: boolean;
  deprecated?: string;
  deprecatedSince?: string;
  withdrawnSince?: string;
  /** By source and file: digests, with a space between them. */
  digests?: Record<string, Record<string, string>>;
}

interface FormerRecorded extends Omit<Recorded, 'releases'> {
  releases: FormerRelease[];
}

interface FormerFreshness {
  sources: Record<string, { since?: string; reason?: string; cause?: string; definition?: string }>;
}

export function convert(from: string, to: string): void {
  const data = openData(to);
  const runs = readLines(join(from, 'data/runs'));
  const lastDay = runs.at(-1)?.asOf ?? '';
  const freshness: Freshness = {};

  for (const folder of ['components', 'data', 'site/statements']) {
    rmSync(join(to, folder), { recursive: true, force: true });
  }
  for (const file of readdirSync(join(from, 'components'))) {
    const component = file.replace(/\.json$/, '');
    const definition = readJson<Record<string, unknown>>(join(from, 'components', file));
    saveFile(join(to, 'components', file), formatJson(convertDefinition(definition)));

    const recorded = readJson<FormerRecorded>(join(from, 'data', file));
    data.writeRecorded(component, convertRecorded(recorded));

    const freshnessFile = join(from, 'data/freshness', file);
    if (existsSync(freshnessFile)) {
      freshness[component] = convertFreshness(readJson(freshnessFile), lastDay);
    }
  }
  data.writeFreshness(freshness);

  for (const path of [
    'data/journal',
    'data/runs',
    'data/decisions.ndjson',
    'site/site.json',
    'site/statements',
  ]) {
    if (existsSync(join(from, path))) {
      cpSync(join(from, path), join(to, path), { recursive: true });
    }
  }
}

/** Without what is no longer described: which releases work with which, and versions newer than those of a policy. */
function convertDefinition({ worksWith, labels, ...kept }: Record<string, unknown>): object {
  if (kept['support'] === undefined) {
    return kept;
  }

  const { orNewest, ...support } = kept['support'] as Record<string, unknown>;
  return { ...kept, support };
}

function convertRecorded({ releases, ...others }: FormerRecorded): Recorded {
  return { releases: releases.map(convertRelease), ...others } as Recorded;
}

function convertRelease(release: FormerRelease): object {
  const { source, alsoListedBy = [], notListedOn, digests, ...kept } = release;
  return {
    ...kept,
    notBefore: notListedOn,
    sources: [source, ...alsoListedBy].filter((id) => id !== undefined),
    missingSince: release.withdrawnSince,
    digests: digests && listDigests(digests),
  };
}

function listDigests(bySource: Record<string, Record<string, string>>): string[] {
  const texts = Object.values(bySource).flatMap((byFile) => Object.values(byFile));
  return [...new Set(texts.flatMap((text) => text.split(' ')))].sort();
}

/** A source that did not fail on the last day answered on it. */
function convertFreshness({ sources }: FormerFreshness, lastDay: string) {
  const converted: Record<string, SourceFreshness> = {};
  for (const [id, { since, reason, cause, definition }] of Object.entries(sources)) {
    converted[id] =
      reason === undefined
        ? { answeredOn: lastDay, definition: definition?.slice(0, 12) }
        : { failingSince: since, reason, host: cause?.split(' ')[0] };
  }

  return converted;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

function readLines(folder: string): { asOf: string }[] {
  const texts = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => JSON.parse(line) as { asOf: string });
}

if (import.meta.main) {
  const [from, to = resolve(import.meta.dirname, '..')] = process.argv.slice(2);
  if (from === undefined) {
    console.error('usage: node .ci/convert.ts <folder of the former index> [<folder of this one>]');
    process.exitCode = 2;
  } else {
    convert(from, to);
  }
}
