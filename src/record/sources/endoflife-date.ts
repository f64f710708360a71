import * as z from 'zod';
import { addDays, type Day } from '../../core/model/dates.ts';
import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import { normalisePackageText } from '../../core/model/package-names.ts';
import { parsePurl } from '../../core/model/purl.ts';
import { hasPrereleaseWord } from '../../core/model/prerelease.ts';
import { compareVersions, parseVersion, type Version } from '../../core/model/version.ts';
import { Alias, maxAliases } from '../../core/schemas/definition/about-component.ts';
import type { Phase } from '../../core/schemas/definition/phase.ts';
import type { StatedLine } from '../../core/schemas/recorded/recorded.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { defineSource, definePackage, type SupportAdapter, type ListedName } from './datasource.ts';
import { listElements, readReleases, expectPackage } from './shared/document.ts';
import { readSourceLines } from './shared/source-lines.ts';
import { joinUrl, fetchJson } from './shared/requests.ts';

const defaultRegistry = 'https://endoflife.date/api/';

/** The API of endoflife.date, version 1, "ProductResponse". */
const Product = z.object({
  result: z.object({
    name: z.string(),
    label: z.string().optional(),
    links: z.object({ html: z.string().nullish(), releasePolicy: z.string().nullish() }).optional(),
    identifiers: z
      .array(z.object({ id: z.string() }))
      .optional()
      .catch(undefined),
    releases: z.array(z.unknown()),
  }),
});

async function fetchProduct(http: Fetcher, product: string, registryUrl = defaultRegistry) {
  const url = joinUrl(registryUrl, ['v1', 'products', product]);
  return { url, ...(await fetchJson(http, url, Product)).result };
}

/** The API calls an element of `releases` a "ProductRelease", and what it describes a cycle: here its latest release. */
const LatestOfCycle = z.object({
  name: z.string(),
  latest: z
    .object({ name: z.string(), date: z.string().nullish(), link: z.string().nullish() })
    .nullish(),
});

/** Lists the latest release of each cycle. Earlier ones stay recorded. */
export const endoflifeDate = defineSource({
  datasource: 'endoflife-date',
  defaultRegistry,
  coordinates: definePackage(/^\w[\w.+-]*$/, 'postgresql', 'endoflife.date', defaultRegistry),
  async gather({ packageName, registryUrl }, context) {
    const { url, name, releases } = await fetchProduct(context.http, packageName, registryUrl);
    expectPackage(url, packageName, name);

    // An element is named by its version, or by its cycle if it states none.
    const cycles = listElements(releases, 'name').map(({ name: cycle, value }) => {
      const version = LatestOfCycle.safeParse(value).data?.latest?.name;
      return { cycle, version, name: version ?? cycle, value };
    });
    const answer = readReleases(url, cycles, LatestOfCycle, ({ latest }) => ({
      isPrerelease: latest ? hasPrereleaseWord(latest.name) : false,
      releaseTimestamp: latest?.date ?? undefined,
      changelogUrl: latest?.link ?? undefined,
    }));
    const replaced = listReplaced(cycles, context.listedBefore);
    return { ...answer, alsoListed: [...replaced, ...answer.alsoListed] };
  },
  async describe({ packageName, registryUrl }, { http }) {
    const { url, name, label, links, identifiers } = await fetchProduct(
      http,
      packageName,
      registryUrl,
    );
    expectPackage(url, packageName, name);
    const note =
      'sources: endoflife.date states only the latest release of each cycle; for all releases, name the registry of the package as first source';

    return {
      title: label,
      aliases: listPackageUrls(identifiers?.map(({ id }) => id)),
      homepage: HttpsUrl.safeParse(links?.releasePolicy).data,
      registryPage: links?.html ?? undefined,
      support: { source: createSupportSource(packageName, registryUrl), note },
    };
  },
});

/** The source of the ends of a product. `registryUrl`: the API of an instance; undefined for the public one. */
export function createSupportSource(product: string, registryUrl: string | undefined) {
  return dropUndefined({ datasource: 'endoflife-date' as const, product, registryUrl });
}

/**
 * The versions listed before that were not withdrawn: a newer one of their cycle replaced them in the list, or the cycle states no
 * readable version now.
 */
function listReplaced(
  cycles: readonly { cycle: unknown; version: string | undefined }[],
  listedBefore: readonly string[],
): ListedName[] {
  const byGroups = Map.groupBy(cycles, ({ cycle }) =>
    typeof cycle === 'string' ? joinGroups(parseVersion(cycle)) : '',
  );

  const replaced: ListedName[] = [];
  for (const name of listedBefore) {
    // A recorded name is a version.
    const version = parseVersion(name)!;
    const isReplaced = findCycles(version, byGroups).some((cycle) => {
      const latest = parseVersion(cycle.version ?? '');
      return !latest || compareVersions(version, latest) < 0;
    });
    if (isReplaced) {
      replaced.push({ name, isRecorded: true });
    }
  }

  return replaced;
}

/** The cycles that a version may belong to: 1.1.1 before 1.1 for 1.1.1w. Any version may belong to a cycle without digits. */
function findCycles<Cycle>(
  version: Version,
  byGroups: ReadonlyMap<string, readonly Cycle[]>,
): readonly Cycle[] {
  for (let count = version.groups.length; count >= 0; count -= 1) {
    const cycles = byGroups.get(joinGroups(version, count));
    if (cycles) {
      return cycles;
    }
  }

  return [];
}

/** The first digit groups of a version; empty for a text that is no version. */
function joinGroups(version: Version | undefined, count?: number): string {
  return (version?.groups ?? []).slice(0, count).join('.');
}

const End = DaySchema.nullish();

/** The phases of a cycle. A day is the last day of a phase, or the last day before long-term support. */
const CyclePhases = z.object({
  name: z.string(),
  releaseDate: DaySchema.optional(),
  isLts: z.boolean().nullish(),
  ltsFrom: End,
  isEoas: z.boolean().nullish(),
  eoasFrom: End,
  isEol: z.boolean(),
  eolFrom: End,
  isEoes: z.boolean().nullish(),
  eoesFrom: End,
});
type CyclePhases = z.infer<typeof CyclePhases>;

const CycleLine = CyclePhases.transform((cycle): StatedLine => {
  const { name, releaseDate, isLts, ltsFrom } = cycle;
  const lts = ltsFrom ? addDays(ltsFrom, 1) : isLts || undefined;
  return dropUndefined({
    line: name,
    firstReleaseDate: releaseDate,
    lts,
    phases: listPhases(cycle),
  });
});

/** Reads phases, long-term support and ends of a product's release cycles. */
export const statedByEndoflifeDate: SupportAdapter<'endoflife-date'> = {
  async gather({ product, registryUrl }, context) {
    const { url, name, releases } = await fetchProduct(context.http, product, registryUrl);
    const about = name === product ? undefined : name;
    return { ...readSourceLines(url, listElements(releases, 'name'), CycleLine), about };
  },
};

/** A product states whether active or extended support is over only if it has such a phase. */
function listPhases({ isEoas, eoasFrom, isEol, eolFrom, isEoes, eoesFrom }: CyclePhases): Phase[] {
  const phases: Phase[] = [];
  if (typeof isEoas === 'boolean') {
    phases.push(createPhase('active', isEoas, eoasFrom));
  }

  phases.push(createPhase(phases.length > 0 ? 'security' : 'support', isEol, eolFrom));

  if (typeof isEoes === 'boolean') {
    phases.push({ ...createPhase('extended', isEoes, eoesFrom), paid: true });
  }
  return phases;
}

function createPhase(name: string, isOver: boolean, lastDay: Day | null | undefined): Phase {
  return dropUndefined({
    name,
    until: lastDay ?? undefined,
    isOver: (!lastDay && isOver) || undefined,
  });
}

/** The package URLs among the identifiers of a product, as many as a definition may have. */
export function listPackageUrls(identifiers: readonly string[] = []): string[] | undefined {
  const packages = identifiers.filter((id) => parsePurl(id) && Alias.safeParse(id).success);
  return listDistinct(packages)?.slice(0, maxAliases);
}

/** "IdentifierListResponse". */
const Identifiers = z.object({ result: z.array(z.unknown()) });

const Identifier = z.object({ identifier: z.string(), product: z.object({ name: z.string() }) });

/** The products that contain the package. Requests the list of all packages, to not reveal which one is added. */
export async function findProducts(
  http: Fetcher,
  purl: string,
  registryUrl = defaultRegistry,
): Promise<readonly string[]> {
  const url = joinUrl(registryUrl, ['v1', 'identifiers', 'purl']);
  const { result } = await fetchJson(http, url, Identifiers);
  const products = new Set<string>();

  for (const element of result) {
    const { data } = Identifier.safeParse(element);
    if (data && normalisePackageText(data.identifier) === purl) {
      products.add(data.product.name);
    }
  }

  return [...products];
}

/** "ProductListResponse". */
const Products = z.object({ result: z.array(z.object({ name: z.string() })) });

/** The names of all products of an instance of endoflife.date. */
export async function listProducts(http: Fetcher, registryUrl: string): Promise<string[]> {
  const url = joinUrl(registryUrl, ['v1', 'products']);
  const { result } = await fetchJson(http, url, Products);
  return result.map(({ name }) => name);
}
