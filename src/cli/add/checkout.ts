/** All products of a checkout of endoflife.date, as components. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, inputError, parseDocument } from '../../core/errors.ts';
import { listNames, readDefinitions, readSettings } from '../../core/index/read-folder.ts';
import { Definition } from '../../core/schema/definition.ts';
import { findNameProblem } from '../../core/schema/names.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { formatCount } from '../../core/text.ts';
import { openData } from '../../record/files.ts';
import { gatherAll, type GatherRun } from '../../record/gather.ts';
import type { Report } from '../report.ts';
import type { Draft } from './draft.ts';
import { readListedProduct } from './product.ts';
import { saveComponent } from './save.ts';

interface Product {
  product: string;
  component: string;
  definition: Draft['definition'];
  /** With the defaults of the settings. */
  whole: Definition;
}

/** What the index does not get of a product. */
type Lack = readonly [product: string, words: string];

/**
 * Adds every product that the index does not have. A product that cannot be read, or whose list has no release, costs only itself.
 * `mirror`: in place of the addresses of endoflife.date.
 */
export async function addCheckout(
  folder: string,
  run: GatherRun & { report: Report; mirror: string | undefined; dryRun: true | undefined },
): Promise<void> {
  const { root, report, dryRun } = run;
  const settings = readSettings(root);
  const data = openData(root);
  const { products, lacks, present } = readProducts(folder, root, settings, run.mirror);
  const inputs = products.map(({ component, whole }) => {
    return { component, definition: whole, recorded: data.readRecorded(component), freshness: {} };
  });

  const onProgress = report.progress;
  const { gathered } = await gatherAll(inputs, { ...run, onProgress });
  const added: string[] = [];
  let count = 0;
  for (const { component, recorded, notes } of gathered) {
    const { product, definition } = products.find((each) => each.component === component)!;
    const { releases } = recorded;
    const [note, ...others] = notes;
    if (note !== undefined) {
      const more = others.length > 0 ? ` And ${formatCount(others.length, 'note')} more.` : '';
      // Behind the names of component and source; here, nothing was recorded before.
      const words = note.slice(note.indexOf('): ') + 3).replace(' Recorded data stays.', '');
      lacks.push([product, words + more]);
    }
    if (releases.length === 0) {
      continue;
    }

    added.push(component);
    count += releases.length;
    if (!dryRun) {
      saveComponent(root, component, definition, recorded);
    }
  }

  const verb = dryRun ? 'would be added' : 'added';
  report.print(
    `${formatCount(added.length, 'component')} ${verb}, with ${formatCount(count, 'release')}; ${present} were there.`,
    {
      headings: ['product', 'what is missing'],
      rows: lacks.sort(([a], [b]) => a.localeCompare(b)),
    },
  );
  report.document({ added, present, lacks: lacks.map(([product, words]) => ({ product, words })) });
  if (added.length + present === 0) {
    throw inputError(folder, 'no product could be added');
  }
}

function readProducts(
  folder: string,
  root: string,
  settings: Settings,
  mirror: string | undefined,
) {
  const names = globSync('products/*.md', { cwd: folder }).map((file) => basename(file, '.md'));
  if (names.length === 0) {
    throw inputError(folder, 'expected a checkout of endoflife.date, with products/<name>.md');
  }

  const lacks: Lack[] = [];
  const products: Product[] = [];
  const all = new Map(names.sort().map((product) => [product, nameComponent(product)]));
  const { definitions } = readDefinitions(root, settings);
  const otherNames = [...definitions.values()].flatMap(({ aliases = [], renamedFrom = [] }) => [
    ...aliases,
    ...renamedFrom,
  ]);
  const existing = listNames(join(root, 'components'));
  const owned = new Set([...existing, ...otherNames.map((name) => name.toLowerCase())]);
  // No alias may be a name of another component.
  const taken = new Set([...owned, ...all.values()]);
  let present = 0;
  for (const [product, component] of all) {
    if (owned.has(component)) {
      present += 1;
      continue;
    }

    try {
      const text = readFileSync(join(folder, 'products', `${product}.md`), 'utf8');
      const { definition: draft, notes } = readListedProduct(product, text, mirror);
      if (draft.sources?.length === 0) {
        lacks.push([product, notes.join(' ')]);
        continue;
      }

      const { aliases = [], ...others } = draft;
      const free = aliases.filter((alias) => !taken.has(alias.toLowerCase()));
      const definition = free.length > 0 ? { ...others, aliases: free } : others;
      const whole = parseDocument(Definition, { ...settings.defaults, ...definition }, product);
      free.forEach((alias) => taken.add(alias.toLowerCase()));
      products.push({ product, component, definition, whole });
      if (component !== product) {
        lacks.push([product, `its name, which belongs to a published path: it is ${component}`]);
      }
      if (free.length < aliases.length) {
        const shared = aliases.filter((alias) => !free.includes(alias));
        lacks.push([product, `aliases that another component has: ${shared.join(', ')}`]);
      }
    } catch (error) {
      if (!(error instanceof InputError)) {
        throw error;
      }
      lacks.push([product, error.problems.map(({ message }) => message).join('; ')]);
    }
  }
  return { products, lacks, present };
}

/** A name of a published path gets an ending. */
function nameComponent(product: string): string {
  return findNameProblem(product) === undefined ? product : `${product}-product`;
}
