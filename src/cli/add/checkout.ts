/** All products of a checkout of endoflife.date, as components. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { inputError, readProblems } from '../../core/errors.ts';
import { listNames, readDefinitions, readSettings } from '../../core/index/read-folder.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import { formatCount } from '../../core/text.ts';
import { addComponent, type AddRun, type WriteOptions } from './component.ts';
import { readListedProduct } from './product.ts';

/** What the index does not get of a product. */
interface Lack {
  product: string;
  words: string;
}

const productsAtOnce = 64;

interface CheckoutOptions extends Pick<WriteOptions, 'dryRun'> {
  /** In place of the addresses of endoflife.date. */
  registryUrl?: string;
}

interface Checkout extends CheckoutOptions {
  folder: string;
  /** Names of components, and their aliases, in lower case. */
  taken: Set<string>;
}

/** Adds every product that the index does not have. A product that cannot be read, or whose list has no release, costs only itself. */
export async function addCheckout(
  folder: string,
  options: CheckoutOptions,
  run: AddRun,
): Promise<void> {
  const { root, report } = run;
  const products = listProducts(folder);
  const taken = listTakenNames(root);
  const missing = products.filter((product) => !taken.has(nameComponent(product)));
  missing.forEach((product) => taken.add(nameComponent(product)));
  const present = products.length - missing.length;

  let asked = 0;
  const outcomes = await pLimit(productsAtOnce).map(missing, async (product) => {
    const outcome = await addProduct(product, { folder, taken, ...options }, run);
    asked += 1;
    report.progress(`add ${asked}/${missing.length} ${product}`, asked);
    return outcome;
  });

  const added = outcomes.flatMap((outcome) => outcome.added ?? []);
  const releases = added.reduce((sum, each) => sum + each.releases.length, 0);
  const lacks = outcomes.flatMap((outcome) => outcome.lacks);
  const verb = options.dryRun ? 'would be added' : 'added';
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

/** All names of the components of the index, in lower case. */
function listTakenNames(root: string): Set<string> {
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

/** An alias is that of the first product that has it: from then on it is taken. */
async function addProduct(
  product: string,
  { folder, taken, registryUrl, dryRun }: Checkout,
  run: AddRun,
) {
  const lacks: Lack[] = [];
  const lack = (words: string) => lacks.push({ product, words });
  try {
    const text = readFileSync(join(folder, 'products', `${product}.md`), 'utf8');
    const { definition, notes } = readListedProduct(product, text, registryUrl);
    const { aliases = [], ...others } = definition;
    if (others.sources?.length === 0) {
      lack(notes.join(' '));
      return { lacks };
    }

    const free = aliases.filter((alias) => !taken.has(alias.toLowerCase()));
    free.forEach((alias) => taken.add(alias.toLowerCase()));
    const draft = { ...others, ...(free.length > 0 && { aliases: free }) };
    const component = nameComponent(product);
    const added = await addComponent(component, { definition: draft, notes }, { dryRun }, run);
    if (component !== product) {
      lack(`its name, which belongs to a published path: it is ${component}`);
    }
    if (free.length < aliases.length) {
      const shared = aliases.filter((alias) => !free.includes(alias));
      lack(`aliases that another component has: ${shared.join(', ')}`);
    }
    const [gap, ...more] = added.gaps;
    if (gap) {
      const rest = more.length > 0 ? ` And ${formatCount(more.length, 'note')} more.` : '';
      lack(gap.text + rest);
    }
    return { added, lacks };
  } catch (error) {
    const messages = readProblems(error).map(({ message }) => message);
    lack(messages.join('; '));
    return { lacks };
  }
}
