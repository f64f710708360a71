import { datasourceNames } from '../../core/datasources.ts';
import { inputError, UsageError, type Problem } from '../../core/errors.ts';
import { readSettings } from '../../core/index/read-folder.ts';
import type { Definition } from '../../core/schema/written.ts';
import { SupportPolicy } from '../../core/schema/policy.ts';
import type { Recorded } from '../../core/schema/recorded.ts';
import { findNearest, formatCount } from '../../core/text.ts';
import { createHttp, type Http } from '../../sources/http/client.ts';
import { isAbsent, SourceError } from '../../sources/http/failures.ts';
import {
  addComponent,
  type AddRun,
  type WriteOptions,
  deriveComponentName,
  type Draft,
  type DraftOptions,
} from '../add/component.ts';
import { draftPackage, examples, readPackage } from '../add/package.ts';
import { readProduct } from '../add/product.ts';
import { listShownFindings } from '../sources.ts';
import { expectArgument, parseUrl, type Context, type Define } from '../context.ts';

interface Options extends DraftOptions, WriteOptions {
  /** The name of the component, if it is not the usual one. */
  name?: string;
  registryUrl?: string;
}

export const define: Define = (command, context) => {
  command
    .argument('<words...>', 'a datasource and packages, or products of endoflife.date')
    .option(
      '--name <component>',
      "name of the component (default: the last part of the package's name)",
    )
    .option('--registry-url <url>', 'registry of the package, instead of the default one', parseUrl)
    .option('--title <text>', 'title of the component (default: from the registry)')
    .option('--homepage <url>', 'homepage (default: from the registry)', parseUrl)
    .option('--changelog <url>', 'address of the change log (default: from the registry)', parseUrl)
    .option('--support <policy>', 'term:<months>, latest-lines:<count> or none', parseSupport)
    .option('--replace', 'overwrite the definition; recorded data stays')
    .option('--dry-run', 'ask the registry and show the definition, but write nothing')
    .addHelpText('after', listForms)
    .action((words: string[], options: Options) => add(words, options, context));
};

function parseSupport(text: string): Definition['support'] {
  const [policy = '', number] = text.split(':');
  const policies: Readonly<Record<string, object>> = {
    term: { policy, months: Number(number) },
    'latest-lines': { policy, count: Number(number) },
    none: { policy },
  };
  const { data } = SupportPolicy.safeParse(policies[policy]);
  expectArgument(data, 'term:<months>, latest-lines:<count> or none');
  return data;
}

function listForms(): string {
  const forms = Object.entries(examples).map((words) => `  add ${words.join(' ')}\n`);
  return `\nDatasources:\n${forms.join('')}  add nodejs postgresql: products of endoflife.date\nColumns for static: version, date, changelog, deprecated, end of support`;
}

async function add(words: string[], options: Options, context: Context): Promise<void> {
  const { defaults, repositoryUrl, plainHttpHosts } = readSettings(context.root);
  const { env, signal, report } = context;
  const http = createHttp({ env, signal, repositoryUrl, plainHttpHosts });
  const run = { ...context, http, defaults };
  const { registryUrl } = options;
  try {
    const subjects = listSubjects(words);
    if (subjects.length > 1 && options.name !== undefined) {
      throw new UsageError('--name: expected one package or product');
    }

    const added: object[] = [];
    for (const subject of subjects) {
      const named = readPackage(subject, registryUrl);
      const [product = ''] = subject;
      const draft = named
        ? await draftPackage(named, options, run)
        : await draftProduct(product, http, registryUrl);
      const name = named ? deriveComponentName(named.packageName) : product;
      added.push(await addDraft(name, draft, options, run));
      // The report is written now, because a later package may fail.
      report.document({ added });
    }
  } catch (error) {
    throw error instanceof SourceError ? inputError('registry', error.message) : error;
  } finally {
    await http.close();
  }
}

/** Splits words into subjects: a datasource with each of its packages, else products and addresses. */
function listSubjects([first = '', ...names]: readonly string[]): string[][] {
  const isDatasource = datasourceNames.some((name) => name === first);
  return isDatasource && names.length > 0
    ? names.map((name) => [first, name])
    : [first, ...names].map((word) => [word]);
}

/** Adds one component, and reports what was recorded. */
async function addDraft(
  usualName: string,
  draft: Draft,
  { name = usualName, ...options }: Options,
  run: AddRun,
): Promise<object> {
  const { report } = run;
  const { gaps, releases, ...added } = await addComponent(name, draft, options, run);
  const notes = [...draft.notes, ...describeDays(releases)];
  const tell = (level: Problem['level']) => (message: string) => ({
    subject: name,
    message,
    level,
  });
  report.problem(...listShownFindings(gaps).map(tell('warning')), ...notes.map(tell('notice')));
  const outcome = options.dryRun ? 'would be recorded' : 'recorded';
  const latest = releases.at(-1)?.version ?? 'none';
  report.print(
    `${name}: ${formatCount(releases.length, 'release')} ${outcome}; the latest is ${latest}. ${added.file}`,
  );
  return { ...added, notes, releases: releases.length };
}

/** Reports that a registry states no days, if it states none. */
function describeDays(releases: Recorded['releases']): string[] {
  const areObserved = releases.every(({ timestampKind }) => timestampKind === 'observed');
  return areObserved && releases.length > 0
    ? ['its registry states no days, so each release has the day on which this index first saw it']
    : [];
}

/** The folder with the products of endoflife.date, `<name>.md`. */
const productFiles =
  'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/products';

/** Drafts a definition from the file of a product, which names the lists of its releases. */
async function draftProduct(product: string, http: Http, mirror = productFiles): Promise<Draft> {
  const url = `${mirror}/${encodeURIComponent(product)}.md`;
  try {
    const response = await http.fetch({ url });
    return readProduct(product, response.text());
  } catch (error) {
    if (!isAbsent(error)) {
      throw error;
    }

    const nearest = findNearest(product, datasourceNames);
    const hint = nearest ? `Did you mean "${nearest}"?` : 'add --help lists datasources.';
    throw new UsageError(
      `"${product}" is neither a datasource nor a product of endoflife.date. ${hint}`,
    );
  }
}
