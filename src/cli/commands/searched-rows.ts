import { detailsOf } from '../../decide/details.ts';
import { compactDetails } from '../../ask/compact-details.ts';
import { stateOn } from '../../decide/component-freshness.ts';
import type { Row } from '../../core/query/fields.ts';
import { expand } from '../../core/query/catalogue.ts';
import { loadComponent } from '../../site/load-component.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { listComponents } from '../../io/files/root.ts';
import { refuseErrors, type Invocation } from './command.ts';
import { openPublished, tellDay, whyNoIndex } from './published-site.ts';

/** The releases of the checkout. A component that cannot be read refuses the search: an answer without it would be wrong. */
export function checkoutRows({ root, day }: Invocation): Row[] {
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  const loaded = names.map((name) => loadComponent(root, name, day));
  const found = [...findings, ...config.findings, ...loaded.flatMap((component) => component.findings)];
  refuseErrors(found.filter(({ level }) => level === 'error'));
  const { staleAfterDays } = config.value!;
  return loaded.flatMap(({ component }) => {
    const freshness = stateOn(component!.freshness, day, staleAfterDays);
    return expand(component!.name, { ...compactDetails(detailsOf(component!)), freshness });
  });
}

/** The releases of a published index, with the verdicts of the day it was built for. */
export async function publishedRows(invocation: Invocation, baseUrl: string): Promise<readonly Row[]> {
  const opened = openPublished(invocation, baseUrl);
  try {
    await tellDay(invocation, opened, baseUrl);
    return await opened.index.rows();
  } catch (error) {
    throw whyNoIndex(baseUrl, error);
  } finally {
    await opened.close();
  }
}
