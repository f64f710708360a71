import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { JSON_SCHEMA, load, YAMLException } from 'js-yaml';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { normalisePackage } from '../../core/model/purl.ts';
import { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { DaySchema, HttpsUrl } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { judgeRecorded } from '../../decide/component.ts';
import { isAbsent, readRegularFile } from '../../io/files/file-system.ts';
import { decode } from '../../io/files/read-documents.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { answerIfAbsent } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';
import { listPackageUrls } from '../sources/endoflife-date.ts';
import { renderPackageUrl, TypedSource } from '../sources/index.ts';
import { createAddressBelow } from '../sources/shared/requests.ts';
import type { GivenValues } from './draft-definition.ts';

/** A product of endoflife.date as parts of a definition. */
export interface Product {
  /** Empty where the product names no usable list of releases. */
  sources: TypedSource[];
  facts: GivenValues;
  /** The latest version of its newest line. */
  latest?: string | undefined;
  /** Facts that were left out. */
  notes: string[];
}

const PlainText = z.union([z.string(), z.number()]).transform(String);
const StatedDay = DaySchema.optional().catch(undefined);

const Cycle = z.object({
  releaseCycle: PlainText,
  releaseDate: StatedDay,
  latest: PlainText.optional().catch(undefined),
  /** In place of a day, whether it is over. */
  eol: z.union([DaySchema, z.boolean()]).optional().catch(undefined),
});
type Cycle = z.infer<typeof Cycle>;

/** The front matter of `products/<name>.md` (github.com/endoflife-date/endoflife.date, CONTRIBUTING.md). */
const ProductFile = z.object({
  title: PlainText,
  releasePolicyLink: HttpsUrl.optional().catch(undefined),
  identifiers: z.array(z.object({ purl: z.string().optional().catch(undefined) })).default([]),
  auto: z
    .object({ methods: z.array(z.record(z.string(), z.unknown())) })
    .optional()
    .catch(undefined),
  releases: z.array(Cycle).min(1),
});

/** The files of all products, below this address or in a folder. */
export const endoflifeFiles =
  'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

/** Reads the file of a product. Undefined if an address has no such file: an instance of endoflife.date serves only its API. */
export async function findProduct(
  name: string,
  files: string,
  { http, day }: { http: Fetcher; day: Day },
): Promise<Product | undefined> {
  if (!/^https?:/.test(files)) {
    const path = join(files, 'products', `${name}.md`);
    if (isAbsent(path)) {
      throw new SourceError(`${path}: there is no such file`);
    }

    return readProduct({ name, text: decode(readRegularFile(path)), place: path, day });
  }

  const url = createAddressBelow(files, ['products', `${name}.md`]);
  const answer = await http
    .fetch({
      url,
      accept: ['text/plain'],
      alsoAccept: ['text/markdown', 'application/octet-stream'],
    })
    .catch(answerIfAbsent(() => undefined));
  return answer && readProduct({ name, text: answer.text(), place: url, day });
}

/** The names of the products in a folder. */
export function listFolder(folder: string): string[] {
  const path = join(folder, 'products');
  const names = (isAbsent(path) ? [] : readdirSync(path)).filter((name) => name.endsWith('.md'));
  if (names.length === 0) {
    throw new SourceError(`${path}: expected files of products, *.md`);
  }

  return names.map((name) => basename(name, '.md')).sort();
}

interface ProductText {
  name: string;
  text: string;
  place: string;
  day: Day;
}

/** Throws a `SourceError` that begins with `place` for another form. */
export function readProduct({ name, text, place, day }: ProductText): Product {
  const [, yaml = ''] = text.split(/^---$/m, 3);
  const file = ProductFile.safeParse(loadYaml(yaml, place));
  if (!file.success) {
    const [issue] = file.error.issues;
    throw new SourceError(`${place}: ${issue?.path.join('.')}: ${issue?.message}`);
  }

  const { title, releasePolicyLink, identifiers, auto, releases: cycles } = file.data;
  const methods = (auto?.methods ?? []).filter((method) => !('release_table' in method));
  const results = methods.flatMap(readMethod);
  const sources = results.filter((result) => typeof result !== 'string');
  const leftOut = listDistinct(results.filter((result) => typeof result === 'string'));
  const listedPackages = new Set(sources.map((source) => renderPackageUrl(source)));
  const packageUrls = identifiers
    .map(({ purl = '' }) => purl)
    .filter((purl) => !listedPackages.has(normalisePackage(purl)));
  const aliases = listPackageUrls(packageUrls);
  const { support, note } = readRule({ name, yaml, cycles, url: releasePolicyLink, day });

  return {
    sources,
    facts: dropUndefined({ title, homepage: releasePolicyLink, aliases, support }),
    latest: cycles[0]?.latest,
    notes: [
      leftOut && `sources: no datasource reads its list of releases (${formatList(leftOut, 5)})`,
      note,
    ].filter((text) => text !== undefined),
  };
}

function loadYaml(yaml: string, place: string): unknown {
  try {
    // Without dates and sexagesimal numbers: "2.0" in quotes stays a text, and a day is one, too.
    return load(yaml, { schema: JSON_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }

    throw new SourceError(`${place}: ${error.reason}`);
  }
}

/** Methods that list the releases of a package, by their names there. A `release_table` lists ends. */
const datasources: Readonly<Record<string, string>> = {
  github_releases: 'github-releases',
  github_tags: 'github-tags',
  gitlab_tags: 'gitlab-tags',
  npm: 'npm',
  pypi: 'pypi',
  docker_hub: 'docker',
};

/** Reads tags without an expression of their own: numbers joined by dots, after an optional v. */
const plainTag = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+){0,2})$`;

/** The sources of a method, one for each of its expressions, or the name of a method that no datasource can follow. */
function readMethod(method: Readonly<Record<string, unknown>>): (TypedSource | string)[] {
  const [[kind, identifier] = ['', '']] = Object.entries(method);
  const { regex, template, regex_exclude: excluded } = method;
  const coordinates =
    kind === 'git'
      ? readRepository(String(identifier))
      : {
          datasource: datasources[kind],
          packageName: identifier,
        };
  const isTag = kind.startsWith('git');
  const expressions =
    regex === undefined
      ? [isTag ? plainTag : undefined]
      : [regex].flat().map((text) => writeExpression(String(text), template));

  return expressions.map((extractVersion) => {
    const source = TypedSource.safeParse(dropUndefined({ ...coordinates, extractVersion }));
    const isUsable =
      excluded === undefined && (regex === undefined || extractVersion !== undefined);
    return source.success && isUsable ? source.data : kind;
  });
}

/** Tags have days at GitHub and GitLab only. */
function readRepository(address: string): object {
  const [, host, path] = /^https:\/\/(github|gitlab)\.com\/(.+?)(?:\.git)?\/*$/.exec(address) ?? [];
  return host === undefined
    ? { datasource: 'git-tags', packageName: address }
    : { datasource: `${host}-tags`, packageName: path };
}

const namedGroup = /\(\?P?<\w+>/g;

/**
 * The expression with one group, `version`, from the first to the last of its named groups. Undefined where the template spells
 * versions in another way than the tag: a version is published as upstream writes it.
 */
function writeExpression(regex: string, template: unknown): string | undefined {
  const tokens = regex.match(/\\.|\[[^\]]*\]|\(\?P?<\w+>|\(\?:|[^]/g) ?? [];
  const isNamed = tokens.map((token) => /^\(\?P?</.test(token));
  const first = isNamed.indexOf(true);
  const last = isNamed.lastIndexOf(true);
  /** For each open parenthesis, whether it is a named group. */
  const open: boolean[] = [];
  let end = first;
  /** The text between the named groups, with # for each group. */
  let spelling = '';

  for (; end < tokens.length; end += 1) {
    const token = tokens[end] ?? '';
    const isInside = open.includes(true);
    if (token.startsWith('(')) {
      spelling += isNamed[end] && !isInside ? '#' : '';
      open.push(isNamed[end] === true);
    } else if (token === ')') {
      open.pop();
    } else if (!isInside && token !== '?') {
      spelling += token.replaceAll(/^\\|[[\]]/g, '');
    }

    if (open.length === 0 && end >= last) {
      break;
    }
  }

  end += tokens[end + 1] === '?' ? 2 : 1;

  const groups = isNamed.filter(Boolean).map(() => '#');
  const expected =
    typeof template === 'string'
      ? template.replaceAll(/\{%.*?%\}/g, '').replaceAll(/\{\{\s*\w+\s*\}\}/g, '#')
      : groups.join('.');
  if (first === -1 || spelling !== expected) {
    return undefined;
  }

  const parts = [tokens.slice(0, first), tokens.slice(first, end), tokens.slice(end)];
  const [before, version, after] = parts.map((part) => part.join(''));
  return `${before}(?<version>${version?.replaceAll(namedGroup, '(?:')})${after}`;
}

/**
 * The rule in the comments of a product, such as `eol(x) = releaseDate(x+2)`, and a note on the ends. Drops a rule if most of
 * its days differ from those of the product, or if a line would be supported today by only one of them.
 */
function readRule({ name, yaml, cycles, url, day }: RuleInput): {
  support?: SupportPolicy;
  note: string;
} {
  const origin = `at endoflife.date for ${quote(name)}`;
  const comments = yaml.split('\n').filter((line) => line.startsWith('#'));
  const lengths = [readLength(comments, 'eol'), readLength(comments, 'eoas')] as const;
  const support = writePolicy(...lengths, { cycles, url });
  if (!support) {
    return { note: `support: as stated ${origin}` };
  }

  const { count, differences, isOtherToday } = compareEnds(support, cycles, day);
  const summary = `another end for ${differences.length} of ${formatCount(count, 'line')}: ${formatList(differences, 3)}`;
  if (isOtherToday || differences.length * 2 > count) {
    return { note: `support: as stated ${origin}; its rule gives ${summary}` };
  }

  const difference = differences.length > 0 ? `; stated there is ${summary}` : '';
  return { support, note: `support: the rule ${origin}${difference}` };
}

interface RuleInput {
  name: string;
  yaml: string;
  cycles: readonly Cycle[];
  url: string | undefined;
  day: Day;
}

interface Length {
  /** Newer lines until the end. */
  count?: number;
  /** Months, after these lines or after the first release. */
  months?: number;
}

/** Undefined where no comment, or more than one, states the end of the phase: there are other rules for some lines. */
function readLength(comments: readonly string[], phase: string): Length | undefined {
  const about = new RegExp(String.raw`\b${phase}\b.*=`, 'i');
  const form = new RegExp(String.raw`^#[\s-]*${phase}(?:\([a-z]\))?\s*=\s*(.*?)\.?\s*$`, 'i');
  const [rule = '', another] = comments.filter((line) => about.test(line));
  const text = another === undefined ? form.exec(rule)?.[1] : undefined;
  const [, count, sum, unit] =
    /^release(?:Date)?\(x(?:\s*\+\s*(\d+))?\)(?:\s*\+\s*([\d.]+)\s*(m|months?|y|years?))?$/i.exec(
      text ?? '',
    ) ?? [];
  const months = sum === undefined ? undefined : Number(sum) * (/^y/i.test(unit ?? '') ? 12 : 1);

  return count === undefined && months === undefined
    ? undefined
    : dropUndefined({ count: count === undefined ? undefined : Number(count), months });
}

/** Undefined where lines have different digit groups: a policy has one form of lines. */
function writePolicy(
  end: Length | undefined,
  active: Length | undefined,
  { cycles, url }: Pick<RuleInput, 'cycles' | 'url'>,
): SupportPolicy | undefined {
  const groups = new Set(cycles.map(({ releaseCycle }) => releaseCycle.split('.').length));
  if (!end || groups.size > 1) {
    return undefined;
  }

  const unit = end.count === undefined ? 'months' : 'count';
  const phases = [
    { name: 'active', [unit]: active?.[unit] },
    { name: 'security', [unit]: end[unit] },
  ];

  const policies = [{ phases }, end].map((length) =>
    SupportPolicy.safeParse(
      dropUndefined({
        policy: unit === 'count' ? 'latest-lines' : 'term',
        ...length,
        line: groups.has(1) ? 1 : undefined,
        url,
      }),
    ),
  );
  const hasPhases = Object.keys({ ...end, ...active }).length === 1;

  return (hasPhases && policies[0]?.data) || policies[1]?.data;
}

/**
 * The lines whose end by a rule differs from the stated one, first those that only one of them supports today. A stated day ahead
 * may be an estimate.
 */
function compareEnds(support: SupportPolicy, cycles: readonly Cycle[], day: Day) {
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const releases = cycles
    .filter(({ releaseDate }) => releaseDate !== undefined)
    .map(({ releaseCycle, releaseDate }) => ({
      version: releaseCycle,
      releaseTimestamp: releaseDate!,
    }));
  const { lines } = judgeRecorded('', definition, { releases }, day).judgement;
  const byRule = new Map(lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]));
  const differences: string[] = [];
  let count = 0;
  let isOtherToday = false;

  for (const { releaseCycle, releaseDate, eol } of cycles) {
    const until = byRule.get(releaseCycle);
    const isEnded = typeof eol === 'string' ? eol < day : eol;
    const isOther = isEnded !== undefined && isEnded !== (until !== undefined && until < day);
    const isDay = typeof eol === 'string' && (until !== undefined || isEnded === true);
    if (releaseDate === undefined || (!isOther && !isDay)) {
      continue;
    }

    count += 1;
    isOtherToday ||= isOther;

    if (isOther || until !== eol) {
      const end = String(eol).replace('true', 'ended').replace('false', 'supported');
      const difference = `${releaseCycle} ${end} (rule: ${until ?? 'none'})`;
      differences.splice(isOther ? 0 : differences.length, 0, difference);
    }
  }

  return { count, differences, isOtherToday };
}
