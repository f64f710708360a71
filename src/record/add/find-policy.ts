import { defined } from '../../core/model/objects.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { listed } from '../../core/text/wording.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';
import { findProducts } from '../sources/endoflife-date.ts';
import { renderPackageUrl } from '../sources/index.ts';

export interface PolicyContext {
  /** The API to use instead of endoflife.date; empty for none. */
  endoflifeDate?: string | undefined;
  /** Asks a person for a policy, who may give none; absent if the program is not interactive. */
  askPolicy?: (() => Promise<SupportPolicy | undefined>) | undefined;
}

interface FoundPolicy {
  support?: SupportPolicy;
  note: string;
  /** endoflife.date did not answer. */
  isOpen?: true;
}

/** Finds the support policy of a package: from endoflife.date, else from a person. */
export async function findSupportPolicy(
  source: Source,
  context: PolicyContext & { http: Fetcher },
): Promise<FoundPolicy> {
  const { support, note, isOpen } = await lookUp(source, context);
  if (support) {
    return { support, note };
  }

  const answered = await context.askPolicy?.();
  if (answered) {
    return { support: answered, note: 'support: as you answered' };
  }

  const unstated = 'no end is stated; add a support policy to state one';
  return defined({ note: `support: ${note}${unstated}`, isOpen });
}

async function lookUp(
  source: Source,
  { http, endoflifeDate }: PolicyContext & { http: Fetcher },
): Promise<FoundPolicy> {
  const purl = renderPackageUrl(source);
  if (purl === undefined || endoflifeDate === '') {
    return { note: '' };
  }

  try {
    const products = await findProducts(http, purl, endoflifeDate);
    const [product, another] = products;
    if (product === undefined) {
      return { note: 'endoflife.date does not list the package; ' };
    }

    if (another !== undefined) {
      return {
        note: `endoflife.date lists the package for several products, ${listed(products, 5)}; `,
      };
    }

    const supportSource = defined({
      datasource: 'endoflife-date' as const,
      product,
      registryUrl: endoflifeDate,
    });
    return {
      support: { policy: 'stated', source: supportSource },
      note: `support: stated by endoflife.date, which lists the package for ${product}`,
    };
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof HttpError)) {
      throw error;
    }

    return { note: `endoflife.date could not be asked (${error.message}); `, isOpen: true };
  }
}
