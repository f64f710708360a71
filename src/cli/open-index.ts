import { openIndex, type PublishedIndex } from '../ask/answers/published-index.ts';
import { openCheckout, type Checkout } from '../site/checkout-documents.ts';
import type { indexAddress, Invocation } from './command.ts';
import { readSiteUrl } from './option-values.ts';

/** The index of the checkout, and the checkout itself. Its documents are of the day on which it is opened. */
export function openCheckoutIndex(
  { root, day, report }: Invocation,
  today = () => day,
): Checkout & { index: PublishedIndex } {
  const checkout = openCheckout(root, today(), (finding) => report.finding(finding));
  return { ...checkout, index: openIndex(checkout.documents, { today }) };
}

export type ComponentFinder = Checkout['component'];

/** Asks the index published at the address of `--index`, else that of the checkout. `findComponent`: finds a component of the checkout. */
export async function askIndex<Answer>(
  invocation: Invocation<{ index: typeof indexAddress }>,
  ask: (index: PublishedIndex, findComponent?: ComponentFinder) => Promise<Answer>,
): Promise<Answer> {
  const url = readSiteUrl('--index', invocation.options.index);
  if (url === undefined) {
    const { index, component } = openCheckoutIndex(invocation);
    return ask(index, component);
  }

  // Loaded on demand: an HTTP client costs a question to the checkout a quarter of its time.
  const { askPublished } = await import('./open-published.ts');
  return askPublished(invocation, url, ask);
}
