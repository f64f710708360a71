import { InvalidArgumentError, type Command } from 'commander';
import { datasourceFacts, datasourceNames, type DatasourceName } from '../../core/datasources.ts';
import { inputError, UsageError } from '../../core/errors.ts';
import { readNamedFile } from '../../core/files.ts';
import { readSettings } from '../../core/index/read-folder.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import { SupportPolicy } from '../../core/schema/policy.ts';
import { decodeText, findNearest, formatList } from '../../core/text.ts';
import { readNpmConfig } from '../../sources/http/authorization.ts';
import { createHttp } from '../../sources/http/client.ts';
import { isAbsent, SourceError } from '../../sources/http/failures.ts';
import { selectAnswer } from '../../sources/answer.ts';
import { findDatasource } from '../../sources/index.ts';
import { addCheckout } from '../add/checkout.ts';
import { addComponent, type AddingComponent, type ComponentOptions } from '../add/component.ts';
import { deriveComponentName, draftDefinition, type Draft } from '../add/draft.ts';
import { proposeFiles } from '../add/files.ts';
import { readPackage, type Named } from '../add/named.ts';
import { readReleaseList } from '../add/list.ts';
import { readProduct } from '../add/product.ts';
import { parseUrl, type Context } from '../context.ts';

interface Options extends ComponentOptions {
  registryUrl?: string;
  title?: string;
  homepage?: string;
  changelog?: string;
  support?: Definition['support'];
  from?: string;
}

interface Adding extends AddingComponent {
  options: Options;
}

/** Files of the products of endoflife.date, `<name>.md`. `--registry-url` stands for them, too. */
const productFiles =
  'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/products';

export function define(command: Command, context: Context): void {
  command
    .argument('[words...]', 'a datasource and a package, or products of endoflife.date')
    .option(
      '--name <component>',
      "name of the component (default: the last part of the package's name)",
    )
    .option('--registry-url <url>', 'registry of the package, instead of the default one', parseUrl)
    .option('--title <text>', 'in place of the answer of the registry')
    .option('--homepage <url>', 'likewise', parseUrl)
    .option('--changelog <url>', 'likewise', parseUrl)
    .option('--support <policy>', 'term:<months>, latest-lines:<count> or none', parseSupport)
    .option('--from <folder>', 'every product of a checkout of endoflife.date')
    .option('--replace', 'overwrite the definition; recorded data stays')
    .option('--dry-run', 'ask the registry and show the definition, but write nothing')
    .addHelpText('after', listForms)
    .action((words: string[], options: Options) => {
      if ((words.length === 0) === (options.from === undefined)) {
        throw new UsageError(
          'add expects a datasource and a package, products, or --from <folder>',
        );
      }
      return addComponents(words, options, context);
    });
}

/** Of names; absent where a name says too little. */
const examples: Readonly<Partial<Record<DatasourceName, string>>> = {
  npm: '@scope/package',
  maven: 'com.example:agent',
  pypi: 'agent',
  docker: 'example/agent',
  helm: 'agent --registry-url URL',
  'github-releases': 'owner/repo',
  'github-tags': 'owner/repo',
  'gitlab-releases': 'group/project',
  'gitlab-tags': 'group/project',
  'git-tags': 'https://git.example.com/agent.git',
  nuget: 'Agent',
  crate: 'agent',
  rubygems: 'agent',
  go: 'example.com/agent',
  json: 'https://example.com/agent.json',
  static: 'releases.csv',
};

function listForms(): string {
  const forms = Object.entries(examples).map((words) => `  add ${words.join(' ')}\n`);
  return `\nDatasources:\n${forms.join('')}  add nodejs postgresql: products of endoflife.date\nColumns for static: version, date, changelog, deprecated, end of support`;
}

function parseSupport(text: string): Definition['support'] {
  const [policy = '', number] = text.split(':');
  const policies: Readonly<Record<string, object>> = {
    term: { policy, months: Number(number) },
    'latest-lines': { policy, count: Number(number) },
    none: { policy },
  };
  const { data } = SupportPolicy.safeParse(policies[policy]);
  if (!data) {
    throw new InvalidArgumentError('Expected term:<months>, latest-lines:<count> or none.');
  }
  return data;
}

async function addComponents(words: string[], options: Options, context: Context): Promise<void> {
  const { defaults, repositoryUrl, plainHttpHosts } = readSettings(context.root);
  const { env, signal } = context;
  const http = createHttp({ env, signal, repositoryUrl, plainHttpHosts });
  const adding: Adding = { ...context, http, options, defaults, added: [] };
  const named = readPackage(words);
  const { from, registryUrl: mirror, dryRun } = options;
  try {
    if (from !== undefined) {
      await addCheckout(from, { ...adding, mirror, dryRun });
      return;
    }
    if (named) {
      await addPackage({ ...named, registryUrl: options.registryUrl ?? named.registryUrl }, adding);
      return;
    }
    for (const product of words) {
      await addComponent(product, await draftProduct(product, adding), adding);
    }
  } catch (error) {
    throw error instanceof SourceError ? inputError('registry', error.message) : error;
  } finally {
    await http.close();
  }
}

async function addPackage(
  { datasource, packageName, registryUrl, others }: Named,
  adding: Adding,
): Promise<void> {
  const { options, defaults } = adding;
  const { needs } = datasourceFacts[datasource]!;
  const example = examples[datasource];
  if (example === undefined) {
    const keys = ['datasource', ...needs].join(', ');
    throw new UsageError(
      `add writes no ${datasource}: write a source with ${keys} into components/<name>.json`,
    );
  }
  if (packageName === '' || others.length > 0) {
    throw new UsageError(`add ${datasource} expects one package, such as ${example}`);
  }
  if (needs.includes('registryUrl') && registryUrl === undefined) {
    throw new UsageError(`--registry-url: ${datasource} has no default registry`);
  }

  const list =
    datasource === 'static'
      ? readReleaseList(packageName, decodeText(readNamedFile(packageName)))
      : undefined;
  const source: Source = { datasource };
  if (list) {
    source.releases = list.releases;
  } else if (datasource === 'json') {
    source[/^https?:/.test(packageName) ? 'url' : 'file'] = packageName;
  } else {
    Object.assign(source, { packageName }, registryUrl && { registryUrl });
  }

  const described = await findDatasource(source).describe?.(source, { ...adding, packages: [] });
  const draft = draftDefinition(packageName, source, described ?? {}, {
    ...options,
    changelogUrl: options.changelog,
    support: options.support ?? list?.support,
    defaults,
    isPrivate: readNpmConfig().isPrivate(source),
  });
  const fileNotes = datasource === 'github-releases' ? await nameFiles(source, adding) : [];
  draft.notes.unshift(...(list?.notes ?? []), ...fileNotes);
  await addComponent(deriveComponentName(packageName), draft, adding);
}

/** Adds a name for each file of the latest release whose own name has a usual platform. */
async function nameFiles(source: Source, adding: Adding): Promise<string[]> {
  const listed = await findDatasource(source).list(source, { ...adding, packages: [] });
  const { releases, assets = [] } = selectAnswer(listed, source);
  const { name: tag = '' } = releases.at(-1) ?? {};
  const digestOf = proposeFiles(assets, tag);
  const names = Object.keys(digestOf);
  if (names.length < 2) {
    return [];
  }

  source.digestOf = digestOf;
  return [
    `digestOf: ${formatList(names, 10)}, from the names of the files of ${tag}. Take out what nobody downloads: a release waits until each has a digest`,
  ];
}

/** From the file of the product, which names the lists of its releases. */
async function draftProduct(product: string, { options, http }: Adding): Promise<Draft> {
  const url = `${options.registryUrl ?? productFiles}/${encodeURIComponent(product)}.md`;
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
