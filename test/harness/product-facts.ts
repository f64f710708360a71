import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** The public history of one component of the example. */
export interface ProductFacts {
  /** With the day that the vendor or a registry prints. */
  releases: { version: string; date: string }[];
  /** Without one; `seenOnOrBefore` is an upper bound. */
  undated: { version: string; seenOnOrBefore?: string }[];
  homepage?: string | null;
  changelogUrl?: string | null;
  /** Names of packages, as registries show them. */
  packages: string[];
  /** Its pages are only likely. */
  isGuessed: boolean;
}

interface StatedSource {
  status?: string;
  package?: string;
  module?: string;
  image?: string;
  chart?: string | null;
}

/** A statement of the vendor on two components. */
export interface PairFact {
  component: string;
  versions: string;
  with: string;
  range: string;
  kind: 'minimum' | 'range' | 'table' | 'maximum' | 'feature' | 'recommended';
}

/** Days that a registry prints for single versions. */
interface PrintedDays {
  daysFound: Record<string, unknown>;
}

const folder = process.env['RELEASE_INDEX_FACTS'] ?? join(checkout, '../shared/product-facts');

export const missingFacts = `The public history of the components is not at ${folder}, or lacks compatibility.json; set RELEASE_INDEX_FACTS. What needs it is left out.`;

/** Whether the days of single versions and the statements on two components are at hand, too. */
export const hasPairs = existsSync(join(folder, 'compatibility.json'));

/** By component; undefined where the facts are not at hand. */
export function readProductFacts(): ReadonlyMap<string, ProductFacts> | undefined {
  if (!existsSync(folder)) {
    return undefined;
  }
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'compatibility.json')
    .map((name) => name.slice(0, -'.json'.length));
  const facts = new Map(names.map((name) => [name, readFacts(name)]));

  const { daysFound } = hasPairs ? read<PrintedDays>('compatibility.json') : { daysFound: {} };
  for (const [component, days] of Object.entries(daysFound)) {
    const { releases = [], undated = [] } = facts.get(component) ?? {};
    for (const { version, date } of Array.isArray(days) ? (days as ProductFacts['releases']) : []) {
      releases.push({ version, date });
      undated.splice(0, undated.length, ...undated.filter((one) => one.version !== version));
    }
  }
  return facts;
}

function read<Document>(name: string): Document {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Document;
}

function readFacts(name: string): ProductFacts {
  const { sources, ...about } = read<ProductFacts & { sources: StatedSource[] }>(`${name}.json`);
  const verified = sources.filter(({ status = '' }) => status.startsWith('verified'));

  return {
    ...about,
    isGuessed: sources.some(({ status = '' }) => status.startsWith('best guess')),
    packages: verified.flatMap(
      (each) => each.package ?? each.module?.replace(':', '/') ?? each.image ?? each.chart ?? [],
    ),
  };
}

/** What the vendor states on two components, but for single features. */
export function readPairFacts(): PairFact[] {
  const { facts } = read<{ facts: PairFact[] }>('compatibility.json');
  return facts.filter(({ kind }) => kind !== 'feature');
}
