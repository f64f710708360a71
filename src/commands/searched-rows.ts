import { openIndex } from '../answers/published-index.ts';
import { rowsOf } from '../answers/rows.ts';
import { createHttp } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { stateOn } from '../policy/component-freshness.ts';
import { documentsAt, NotAnIndexError } from '../publish/published-documents.ts';
import type { Row } from '../query/fields.ts';
import { loadComponent } from '../site/load-component.ts';
import { readSiteConfig } from '../store/read.ts';
import { listComponents } from '../store/root.ts';
import { sentence } from '../text.ts';
import { refusal, refuseErrors, type Invocation } from './command.ts';

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
    return rowsOf(component!).map((row) => ({ ...row, freshness }));
  });
}

/** The releases of a published index, with the verdicts of the day it was built for. */
export async function publishedRows(invocation: Invocation, baseUrl: string): Promise<readonly Row[]> {
  const { root, day, env, signal, report } = invocation;
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const userAgent = `release-index (+${config.value!.repositoryUrl})`;
  const http = createHttp({ userAgent, signal, env, limits: { maxRetries: 1, totalMs: 60_000 } });
  try {
    const index = openIndex(documentsAt(http, baseUrl));
    const { asOf } = await index.status();
    if (asOf !== day) {
      const message = `its verdicts are of ${asOf}, the day it was built for; ages count from ${day}`;
      report.finding({ level: 'notice', subject: baseUrl, message });
    }
    return await index.rows();
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof NotAnIndexError)) throw error;
    const advice = 'Give the address of the folder that its status.json and search.json lie in.';
    const isElsewhere = error instanceof NotAnIndexError || ['absent', 'content'].includes(error.kind);
    throw refusal(baseUrl, isElsewhere ? `${sentence(error.message)} ${advice}` : error.message);
  } finally {
    await http.close();
  }
}
