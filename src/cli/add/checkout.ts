/** All products of a checkout of endoflife.date, as components. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputError, readProblems } from '../../core/errors.ts';
import { parseDocument } from '../../core/parse-document.ts';
import { listNames, readDefinitions, readSettings } from '../../core/index/read-folder.ts';
import { Definition } from '../../core/schema/definition.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { formatCount } from '../../core/text.ts';
import { openData } from '../../record/files.ts';
import { gatherAll, type GatherRun } from '../../record/gather.ts';
import type { Report } from '../report.ts';
import { listGaps, saveComponent } from './component.ts';
import type { Draft } from './draft.ts';
import { readListedProduct } from './product.ts';

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

interface Adding extends GatherRun {
  report: Report;
  /** In place of the addresses of endoflife.date. */
  mirror: string | undefined;
  dryRun: true | undefined;
}

/** Adds every product that the index does not have. A product that cannot be read, or whose list has no release, costs only itself. */
export async function addCheckout(folder: string, run: Adding): Promise<void> {
  const { root, report, dryRun } = run;
  const data = openData(root);
  const { products, lacks, present } = readProducts(folder, run);
  const { gathered } = await gatherAll(
    products.map(({ component, definition }) => {
      return { component, definition, recorded: data.readRecorded(component), freshness: {} };
    }),
    { ...run, onProgress: report.progress },
  );

  const added: string[] = [];
  let count = 0;
  for (const [position, answer] of gathered.entries()) {
    const { component, recorded } = answer;
    const { product, draft } = products[position]!;
    const [gap, ...others] = listGaps(answer);
    if (gap) {
      const more = others.length > 0 ? ` And ${formatCount(others.length, 'note')} more.` : '';
      lacks.push({ product, words: gap.text + more });
    }
    if (recorded.releases.length > 0) {
      added.push(component);
      count += recorded.releases.length;
      if (!dryRun) {
        saveComponent(root, component, draft, recorded);
      }
    }
  }

  lacks.sort((a, b) => a.product.localeCompare(b.product));
  const verb = dryRun ? 'would be added' : 'added';
  report.print(
    `${formatCount(added.length, 'component')} ${verb}, with ${formatCount(count, 'release')}; ${present} were there.`,
    {
      headings: ['product', 'what is missing'],
      rows: lacks.map(({ product, words }) => [product, words]),
    },
  );
  report.document({ added, present, lacks });
  if (added.length + present === 0) {
    throw inputError(folder, 'no product could be added');
  }
}

/** The products that the index does not have, and the number of those that it has. */
function readProducts(folder: string, { root, mirror }: Adding) {
  const names = globSync('products/*.md', { cwd: folder }).map((file) => basename(file, '.md'));
  if (names.length === 0) {
    throw inputError(folder, 'expected a checkout of endoflife.date, with products/<name>.md');
  }

  const settings = readSettings(root);
  const owned = listOwnNames(root, settings);
  const components = new Map(names.sort().map((product) => [product, nameComponent(product)]));
  // No alias may be a name of another component.
  const taken = new Set([...owned, ...components.values()]);
  const lacks: Lack[] = [];
  const products: Product[] = [];
  let present = 0;
  for (const [product, component] of components) {
    if (owned.has(component)) {
      present += 1;
      continue;
    }

    const lack = (words: string) => lacks.push({ product, words });
    try {
      const text = readFileSync(join(folder, 'products', `${product}.md`), 'utf8');
      const { definition: listed, notes } = readListedProduct(product, text, mirror);
      if (listed.sources?.length === 0) {
        lack(notes.join(' '));
        continue;
      }

      const { aliases = [], ...others } = listed;
      const free = aliases.filter((alias) => !taken.has(alias.toLowerCase()));
      const draft = free.length > 0 ? { ...others, aliases: free } : others;
      const definition = parseDocument(Definition, { ...settings.defaults, ...draft }, product);
      products.push({ product, component, draft, definition });
      free.forEach((alias) => taken.add(alias.toLowerCase()));
      if (component !== product) {
        lack(`its name, which belongs to a published path: it is ${component}`);
      }
      if (free.length < aliases.length) {
        const shared = aliases.filter((alias) => !free.includes(alias));
        lack(`aliases that another component has: ${shared.join(', ')}`);
      }
    } catch (error) {
      lack(
        readProblems(error)
          .map(({ message }) => message)
          .join('; '),
      );
    }
  }
  return { products, lacks, present };
}

/** All names of the components of the index. */
function listOwnNames(root: string, settings: Settings): Set<string> {
  const { definitions } = readDefinitions(root, settings);
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
