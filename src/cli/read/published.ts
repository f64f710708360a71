/** Opens the published index that a command reads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AskError } from '../../ask/ask-error.ts';
import { openIndex } from '../../ask/published-index.ts';
import { UsageError } from '../../core/errors.ts';
import { parsePublished } from '../../core/schema/documents.ts';
import { openSite } from '../../core/site-reader.ts';
import type { Context } from '../context.ts';

/** Opens the index at a URL, or else the built site. Throws a `UsageError` if `--as-of` is not the date of the build. */
export async function openPublished({ out, asOf, indexUrl, signal }: Context) {
  if (indexUrl === undefined && !existsSync(join(out, 'status.json'))) {
    throw new AskError(503, `${out}: there is no built site. Run: npx release-index build`);
  }

  const index = openIndex(openSite(indexUrl ?? out, signal), parsePublished);
  if (asOf !== undefined) {
    const { asOf: built } = await index.status();
    if (built !== asOf) {
      throw new UsageError(
        `--as-of ${asOf}: the index was built as of ${built}. For another day: npx release-index build --as-of ${asOf} --out <folder>, then ask with this --out`,
      );
    }
  }

  return index;
}

/** Opens an index, and reads the date of its build. Warns if the index is stale. */
export async function openDated(context: Context) {
  const { report } = context;
  const index = await openPublished(context);
  const { asOf, staleness } = await index.age();
  if (staleness !== undefined) {
    report.problem({ subject: 'index', message: staleness, level: 'warning' });
    report.document({ staleness });
  }
  return { index, asOf };
}
