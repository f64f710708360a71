/** All products of a checkout of endoflife.date, as components. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputError, readProblems } from '../../core/errors.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { listNames, readDefinitions, readSettings } from '../../core/index/read-folder.ts';
import { Definition } from '../../core/schema/definition.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import { formatCount } from '../../core/text.ts';
import { openData } from '../../record/files.ts';
import { gatherAll, type Gathered } from '../../record/gather.ts';
import { listGaps, saveComponent, type AddRun, type ComponentOptions } from './component.ts';
import type { Draft } from './draft.ts';
import { readListedProduct } from './product.ts';

interface CheckoutOptions extends Pick<ComponentOptions, 'dryRun'> {
  /** In place of the addresses of endoflife.date. */
  registryUrl?: string | undefined;
}

interface Product {
  product: string;
  component: string;
  draft: Draft['definition'];
  /** With the defaults of the settings. */
  definition: Definition;
}

/** What the index does not get of a product. */
interface Lack {
  product: string;
  words: string;
}

/** Adds every product that the index does not have. A product that cannot be read, or whose list has no release, costs only itself. */
export async function addCheckout(
  folder: string,
  { registryUrl, dryRun }: CheckoutOptions,
  run: AddRun,
): Promise<void> {
  const { root, report } = run;
  const names = listProducts(folder);
  const ownNames = listOwnNames(root);
  const missing = names.filter((name) => !ownNames.has(nameComponent(name)));
  const present = names.length - missing.length;
  const read = readProducts(folder, missing, ownNames, { ...run, registryUrl });

  const data = openData(root);
  const inputs = Array.from(read.products.values(), ({ component, definition }) => {
    return { component, definition, recorded: data.readRecorded(component), freshness: {} };
  });
  const { gathered } = await gatherAll(inputs, { ...run, onProgress: report.progress });
  const answers = gathered.map((answer) => ({
    ...answer,
    // Only these were asked.
    ...read.products.get(answer.component)!,
  }));

  const added = answers.filter(({ recorded }) => recorded.releases.length > 0);
  if (!dryRun) {
    for (const { component, draft, recorded } of added) {
      saveComponent(root, component, draft, recorded);
    }
  }

  const lacks = [...read.lacks, ...answers.flatMap(describeGaps)].sort((a, b) =>
    a.product.localeCompare(b.product),
  );
  const verb = dryRun ? 'would be added' : 'added';
  const releases = added.reduce((sum, { recorded }) => sum + recorded.releases.length, 0);
  report.print(
    `${formatCount(added.length, 'component')} ${verb}, with ${formatCount(releases, 'release')}; ${present} were there.`,
    {
      headings: ['product', 'what is missing'],
      rows: lacks.map(({ product, words }) => [product, words]),
    },
  );
  report.document({ added: added.map(({ component }) => component), present, lacks });
  if (added.length + present === 0) {
    throw inputError(folder, 'no product could be added');
  }
}

/** Their names, sorted. */
function listProducts(folder: string): string[] {
  const files = globSync('products/*.md', { cwd: folder });
  if (files.length === 0) {
    throw inputError(folder, 'expected a checkout of endoflife.date, with products/<name>.md');
  }

  return files.map((file) => basename(file, '.md')).sort();
}

/** All names of the components of the index. */
function listOwnNames(root: string): Set<string> {
  const { definitions } = readDefinitions(root, readSettings(root));
  const others = Array.from(definitions.values(), ({ aliases = [], renamedFrom = [] }) => [
    ...aliases,
    ...renamedFrom,
  ]);
  // Of a definition that cannot be read, its file.
  const names = [...listNames(join(root, 'components')), ...others.flat()];
  return new Set(names.map((name) => name.toLowerCase()));
}

/** A name of a published path gets an ending. */
function nameComponent(product: string): string {
  return findNameProblem(product) === undefined ? product : `${product}-product`;
}

/** By component, those that can be read, and what the index does not get of any. An alias is that of the first that has it. */
function readProducts(
  folder: string,
  names: readonly string[],
  ownNames: ReadonlySet<string>,
  { registryUrl, defaults }: CheckoutOptions & Pick<AddRun, 'defaults'>,
) {
  const products = new Map<string, Product>();
  const lacks: Lack[] = [];
  const taken = new Set([...ownNames, ...names.map(nameComponent)]);
  for (const product of names) {
    try {
      const text = readFileSync(join(folder, 'products', `${product}.md`), 'utf8');
      const { definition: listed, notes } = readListedProduct(product, text, registryUrl);
      if (listed.sources?.length === 0) {
        lacks.push({ product, words: notes.join(' ') });
        continue;
      }

      const { aliases = [], ...others } = listed;
      const free = aliases.filter((alias) => !taken.has(alias.toLowerCase()));
      const draft = free.length > 0 ? { ...others, aliases: free } : others;
      const definition = parseDocument(Definition, { ...defaults, ...draft }, product);
      const component = nameComponent(product);
      products.set(component, { product, component, draft, definition });
      free.forEach((alias) => taken.add(alias.toLowerCase()));
      if (component !== product) {
        const words = `its name, which belongs to a published path: it is ${component}`;
        lacks.push({ product, words });
      }
      if (free.length < aliases.length) {
        const shared = aliases.filter((alias) => !free.includes(alias));
        lacks.push({ product, words: `aliases that another component has: ${shared.join(', ')}` });
      }
    } catch (error) {
      const messages = readProblems(error).map(({ message }) => message);
      lacks.push({ product, words: messages.join('; ') });
    }
  }
  return { products, lacks };
}

function describeGaps(answer: Gathered & Product): Lack[] {
  const [gap, ...others] = listGaps(answer);
  if (!gap) {
    return [];
  }

  const more = others.length > 0 ? ` And ${formatCount(others.length, 'note')} more.` : '';
  return [{ product: answer.product, words: gap.text + more }];
}
