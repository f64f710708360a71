import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JSON_SCHEMA, load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { HttpsUrl } from '../../core/schemas/definition/links.ts';
import { DaySchema, LineName } from '../../core/schemas/scalars.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { counted, defined, listed } from '../../core/text/text.ts';
import { decode } from '../../io/files/read-documents.ts';
import { readRegularFile } from '../../io/files/file-system.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { GivenValues } from './draft-definition.ts';

/** A product of a folder in the form of endoflife.date, as parts of a definition. */
export interface FolderProduct {
  name: string;
  releases: StaticRelease[];
  facts: GivenValues;
  /** Facts that the form of a definition cannot hold. */
  notes: string[];
}

/** The folder, or one of its files, has another form. */
export class ProductFolderError extends Error {
  override readonly name = 'ProductFolderError';
}

const End = z.union([DaySchema, z.boolean()]).optional().catch(undefined);
const PlainText = z.union([z.string(), z.number()]).transform(String);

/** A release cycle in the front matter of a product (endoflife.date, CONTRIBUTING.md). A day is the last one of a phase. */
const Cycle = z.object({
  releaseCycle: PlainText,
  releaseDate: DaySchema.optional().catch(undefined),
  latest: PlainText.optional(),
  latestReleaseDate: DaySchema.optional().catch(undefined),
  link: HttpsUrl.optional().catch(undefined),
  lts: End,
  eoas: End,
  eol: End,
  eoes: End,
});
type Cycle = z.infer<typeof Cycle>;

const Product = z.object({
  title: PlainText,
  releasePolicyLink: HttpsUrl.optional().catch(undefined),
  changelogTemplate: HttpsUrl.optional().catch(undefined),
  releases: z.array(Cycle).min(1),
});

const maxFileBytes = 2 ** 20;

/**
 * The products of a checkout of endoflife.date or a fork (`products/<name>.md`), or of a folder of such files or of YAML files.
 * Throws a `ProductFolderError` that names the first file that cannot be read.
 */
export function readProductFolder(folder: string): FolderProduct[] {
  const place = filesIn(join(folder, 'products')).length > 0 ? join(folder, 'products') : folder;
  const files = filesIn(place);
  if (files.length === 0) {
    throw new ProductFolderError(`${folder}: expected files of products, *.md or *.yaml`);
  }

  return files.map((file) => readProduct(join(place, file)));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(?:md|ya?ml)$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

function readProduct(path: string): FolderProduct {
  const name = basename(path).replace(/\.\w+$/, '');
  const product = Product.safeParse(readFrontMatter(path));
  if (!product.success) {
    const [issue] = product.error.issues;
    throw new ProductFolderError(`${path}: ${issue?.path.join('.')}: ${issue?.message}`);
  }

  const { title, releasePolicyLink, releases } = product.data;
  const { support, undated } = derivePolicy(releases);
  const link = releasePolicyLink ?? releases.find((cycle) => cycle.link !== undefined)?.link;

  const notes =
    undated.length > 0
      ? [
          `support: no day is stated for ${counted(undated.length, 'line')} of ${name}: ${listed(undated, 5)}`,
        ]
      : [];

  return {
    name,
    releases: releases.map(findLatest).filter((release) => release !== undefined),
    facts: defined({ title, homepage: link, changelogUrl: link, support }),
    notes,
  };
}

/** The latest release of a cycle. If it is also the first one, the first day of the cycle is its day. */
function findLatest(cycle: Cycle): StaticRelease | undefined {
  const { releaseCycle, releaseDate, latest, latestReleaseDate, link } = cycle;
  if (latest === undefined) {
    return undefined;
  }

  const onlyReleaseDate = latest === releaseCycle ? releaseDate : undefined;

  return defined({
    version: latest,
    releaseTimestamp: latestReleaseDate ?? onlyReleaseDate,
    changelogUrl: link,
  });
}

/** The YAML of a file; in Markdown, the part between the first two lines of hyphens. */
function readFrontMatter(path: string): unknown {
  const bytes = readRegularFile(path);
  if (bytes.length > maxFileBytes) {
    throw new ProductFolderError(`${path}: expected at most 1 MiB`);
  }

  const text = decode(bytes);
  const parts = text.split(/^---$/m, 3);
  const yaml = path.endsWith('.md') ? (parts.length > 2 && parts[1]) || '' : text;

  try {
    // Without dates and sexagesimal numbers: "2.0" in quotes stays a text, and a day is one, too.
    return load(yaml, { schema: JSON_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }

    throw new ProductFolderError(`${path}: ${error.reason}`);
  }
}

/** A `dated` policy with the first day of each cycle and the last of each phase; `undated`: cycles without a stated end. */
function derivePolicy(cycles: readonly Cycle[]): { support?: SupportPolicy; undated: string[] } {
  const lines: Record<string, Day | Record<string, Day>> = {};
  const firstReleaseDates: Record<string, Day> = {};
  const undated: string[] = [];
  let hasExtended = false;

  for (const cycle of cycles) {
    const { releaseCycle, releaseDate, eoas, eol, eoes } = cycle;
    const isLine = LineName.safeParse(releaseCycle).success;

    if (isLine && releaseDate !== undefined) {
      firstReleaseDates[releaseCycle] = releaseDate;
    }

    if (!isLine || typeof eol !== 'string') {
      undated.push(releaseCycle);
      continue;
    }

    const phases = defined({
      active: typeof eoas === 'string' ? eoas : undefined,
      security: eol,
      extended: typeof eoes === 'string' && eoes > eol ? eoes : undefined,
    });

    hasExtended ||= phases.extended !== undefined;
    lines[releaseCycle] = Object.keys(phases).length === 1 ? eol : phases;
  }

  if (Object.keys(lines).length === 0) {
    return { undated };
  }

  const began = Object.keys(firstReleaseDates).length > 0 ? { firstReleaseDates } : {};
  const paid = hasExtended ? { paid: ['extended'] } : {};
  const long = cycles.filter(({ lts, releaseCycle }) => lts === true && releaseCycle in lines);
  const lts = long.length > 0 ? { lts: { lines: long.map((cycle) => cycle.releaseCycle) } } : {};

  return { support: { policy: 'dated', lines, ...began, ...paid, ...lts }, undated };
}
