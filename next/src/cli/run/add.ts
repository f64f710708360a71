import { readSettings } from '../../core/read-folder.ts';
import { Definition } from '../../core/schema/definition.ts';
import { formatCount } from '../../core/text.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { InputError, inputError, parseDocument, UsageError } from '../../core/errors.ts';
import { formatJson, saveFile } from '../../core/files.ts';
import { deriveComponentName, findNameProblem } from '../../core/names.ts';
import { openData } from '../../record/files.ts';
import { gatherComponent } from '../../record/gather.ts';
import { datasourceFacts as sources } from '../../core/datasources.ts';
import { createHttp, type Http } from '../../sources/http/client.ts';
import { SourceError } from '../../sources/http/failures.ts';
import { describePackage } from '../../sources/index.ts';
import { draftDefinition, type Draft } from '../add/draft.ts';
import { readList } from '../add/list.ts';
import { readProduct } from '../add/product.ts';
import { parseUrl, type Context } from '../context.ts';

interface Options {
  name?: string;
  registryUrl?: string;
  title?: string;
  homepage?: string;
  changelog?: string;
  support?: Definition['support'];
  replace?: true;
  dryRun?: true;
}

export function define(command: Command, context: Context): void {
  command
    .argument('<words...>', 'a datasource and a package, or products of endoflife.date')
    .option(
      '--name <component>',
      "name of the component (default: the last part of the package's name)",
    )
    .option('--registry-url <url>', 'registry of the package, instead of the default one', parseUrl)
    .option('--title <text>', 'in place of the answer of the registry')
    .option('--homepage <url>', 'likewise', parseUrl)
    .option('--changelog <url>', 'likewise', parseUrl)
    .option('--support <policy>', 'term:<months>, latest-lines:<count> or none', parseSupport)
    .option('--replace', 'overwrite the definition; recorded data stays')
    .option('--dry-run', 'ask the registry and show the definition, but write nothing')
    .addHelpText(
      'after',
      `\nDatasources:\n${listForms().join('\n')}\n  add nodejs postgresql: products of endoflife.date`,
    )
    .action(async (words: string[], options: Options) => {
      const [first = '', second, ...others] = words;
      if (!Object.hasOwn(sources, first)) {
        for (const product of words) {
          await addComponent(
            options.name ?? product,
            await draftProduct(product, context),
            options,
            context,
          );
        }
        return;
      }
      if (second === undefined || others.length > 0) {
        throw new UsageError(
          `add ${first} expects one package, such as ${sources[first]?.example}`,
        );
      }

      const name = options.name ?? deriveComponentName(second);
      await addComponent(
        name,
        await draftPackage(first as Source['datasource'], second, options, context),
        options,
        context,
      );
    });
}

function listForms(): string[] {
  return Object.entries(sources)
    .filter(([, { example }]) => example !== '')
    .map(
      ([datasource, { example, needsRegistry }]) =>
        `  add ${datasource} ${example}${needsRegistry ? ' --registry-url URL' : ''}`,
    );
}

function parseSupport(text: string): Definition['support'] {
  const [, policy = '', number] = /^(term|latest-lines):(\d{1,3})$/.exec(text) ?? [];
  if (text !== 'none' && number === undefined) {
    throw new InvalidArgumentError('Expected term:<months>, latest-lines:<count> or none.');
  }

  if (text === 'none') {
    return { policy: 'none' };
  }

  return policy === 'term'
    ? { policy: 'term', months: Number(number) }
    : { policy: 'latest-lines', count: Number(number) };
}

type Source = Definition['sources'][number];

async function draftPackage(
  datasource: Source['datasource'],
  packageName: string,
  options: Options,
  context: Context,
): Promise<Draft> {
  const { title, homepage, changelog: changelogUrl, support, registryUrl } = options;
  const facts = {
    ...(title && { title }),
    ...(homepage && { homepage }),
    ...(changelogUrl && { changelogUrl }),
    ...(support && { support }),
  };
  if (sources[datasource]?.needsRegistry && registryUrl === undefined) {
    throw new UsageError(`--registry-url: ${datasource} has no default registry`);
  }
  if (datasource === 'static') {
    const releases = readList(packageName, readFileSync(packageName, 'utf8'));
    return draftDefinition(
      { datasource, releases },
      { title: deriveComponentName(packageName) },
      facts,
    );
  }

  const source: Source =
    datasource === 'json'
      ? { datasource, url: packageName }
      : { datasource, packageName, ...(registryUrl && { registryUrl }) };
  const described = await withHttp(
    context,
    (http) =>
      describePackage(source, { http, day: context.day, packages: [] }) ?? Promise.resolve({}),
  );
  return draftDefinition(source, described, facts);
}

async function withHttp<T>(
  { root, env, signal }: Context,
  ask: (http: Http) => Promise<T>,
): Promise<T> {
  const settings = readSettings(root);
  const { repositoryUrl, plainHttpHosts = [] } = settings;
  const http = createHttp({ repositoryUrl, plainHttpHosts, env, signal });
  try {
    return await ask(http);
  } catch (error) {
    throw error instanceof SourceError ? inputError('registry', error.message) : error;
  } finally {
    await http.close();
  }
}

/** From the file of the product, which names the lists of its releases. */
async function draftProduct(product: string, { env }: Context): Promise<Draft> {
  const files =
    env['ENDOFLIFE_DATE_FILES'] ??
    'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/products';
  const response = await fetch(`${files}/${encodeURIComponent(product)}.md`);
  if (!response.ok) {
    throw inputError(
      product,
      `is neither a datasource (${Object.keys(sources).join(', ')}) nor a product of endoflife.date`,
    );
  }

  return readProduct(product, await response.text());
}

/** Asks the sources before anything is written: a definition without releases is usually a typing error. */
async function addComponent(
  name: string,
  { definition, notes }: Draft,
  options: Options,
  context: Context,
): Promise<void> {
  const { root, report, day, signal } = context;
  const file = `components/${name}.json`;
  const problem = findNameProblem(name);
  if (problem) {
    throw inputError(name, `${problem}. Choose another: --name`);
  }
  if (!options.replace && existsSync(join(root, file))) {
    throw inputError(file, 'exists already. Choose another --name, or --replace');
  }

  const before = openData(root).readRecorded(name);
  const input = {
    component: name,
    definition: parseDocument(Definition, definition, file),
    recorded: before,
    freshness: {},
  };
  const { recorded, notes: found } = await withHttp(context, (http) =>
    gatherComponent(input, { day, http, signal }),
  );
  if (recorded.releases.length === 0 && found.length > 0) {
    throw new InputError(
      found.map((message) => ({ subject: name, message: `${message} Nothing was written` })),
    );
  }

  report.problem(
    ...found.map((message) => ({ subject: name, message, level: 'warning' as const })),
  );
  report.problem(...notes.map((message) => ({ subject: name, message, level: 'notice' as const })));
  if (!options.dryRun) {
    const schema = existsSync(join(root, 'node_modules/release-index'))
      ? '../node_modules/release-index/site'
      : '../site';
    saveFile(
      join(root, file),
      formatJson({ $schema: `${schema}/schema/definition.json`, ...definition }),
    );
    openData(root).writeRecorded(name, recorded);
  }

  const latest = recorded.releases.at(-1)?.version;
  report.print(
    `${name}: ${formatCount(recorded.releases.length, 'release')}${options.dryRun ? ' would be' : ''} recorded; the latest is ${latest ?? 'none'}. ${file}`,
  );
  report.document({
    verb: 'add',
    component: name,
    file,
    definition,
    notes,
    releases: recorded.releases.length,
  });
}
