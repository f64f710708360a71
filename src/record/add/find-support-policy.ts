import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { formatList } from '../../core/text/wording.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';
import { createSupportSource, findProducts } from '../sources/endoflife-date.ts';
import { renderPackageUrl } from '../../core/model/package-names.ts';

export interface PolicyContext {
  /** Whether to not ask endoflife.date. */
  skipsEndoflifeDate?: boolean;
  /** The API to use instead of that of endoflife.date. */
  endoflifeDate?: string | undefined;
  /** Asks a person for a policy, which may be none; absent if the program is not interactive. */
  askPolicy?: (() => Promise<SupportPolicy | undefined>) | undefined;
}

/** Finds the support policy of a package: from endoflife.date, else from a person. */
export async function findSupportPolicy(
  source: Source,
  context: PolicyContext & { http: Fetcher },
): Promise<{ support?: SupportPolicy; note: string }> {
  const { product, problem } = await lookUpProduct(source, context);
  if (product !== undefined) {
    return {
      support: { policy: 'stated', source: createSupportSource(product, context.endoflifeDate) },
      note: `support: stated by endoflife.date, which lists the package for ${product}`,
    };
  }

  const policy = await context.askPolicy?.();
  if (policy) {
    return { support: policy, note: 'support: as you answered' };
  }

  const reason = problem === undefined ? '' : `${problem}; `;
  return { note: `support: ${reason}no end is stated; add a support policy to state one` };
}

/** The only product of endoflife.date that has the package, or the problem with it; neither if it was not asked. */
async function lookUpProduct(
  source: Source,
  { http, skipsEndoflifeDate, endoflifeDate }: PolicyContext & { http: Fetcher },
): Promise<{ product?: string; problem?: string }> {
  const purl = renderPackageUrl(source);
  if (purl === undefined || skipsEndoflifeDate) {
    return {};
  }

  try {
    const products = await findProducts(http, purl, endoflifeDate);
    const [product, another] = products;
    if (product === undefined) {
      return { problem: 'endoflife.date does not list the package' };
    }
    if (another === undefined) {
      return { product };
    }

    const names = formatList(products, 5);
    return { problem: `endoflife.date lists the package for several products, ${names}` };
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof HttpError)) {
      throw error;
    }

    return { problem: `endoflife.date could not be asked (${error.message})` };
  }
}
