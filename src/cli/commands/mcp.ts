import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toDay } from '../../core/dates.ts';
import { createMcpServer } from '../../ask/mcp/mcp-server.ts';
import { UsageError, type Invocation } from './command.ts';
import { openCheckout, openFolder } from './opened-index.ts';
import { openPublished, whyNoIndex, type OpenedIndex } from './published-site.ts';
import { siteUrlOf } from './site-url.ts';

/** A copy of what is published may be used for an hour; then it is looked at anew. */
const goodForMs = 3_600_000;

/** Answers on standard output, where nothing else is written, until the input ends or it is interrupted. */
export async function mcp(invocation: Invocation): Promise<number> {
  const { options, day, report, signal } = invocation;
  const today = () => (options['as-of'] === undefined ? toDay(new Date()) : day);
  const { place, open } = sourceOf(invocation, today);
  let opened = await openOrRefuse(place, open);
  let openedAt = Date.now();
  const onError = (error: unknown) => {
    report.finding({ level: 'warning', subject: place, message: (error as Error).message });
    // What could not be read is asked for again.
    openedAt = 0;
  };
  const server = () =>
    createMcpServer({
      async open() {
        if (Date.now() - openedAt > goodForMs) {
          const next = await open();
          await opened.close();
          [opened, openedAt] = [next, Date.now()];
        }
        return { index: opened.index, day: today() };
      },
      onError,
    });
  const handle = serveStdio(server, { onerror: onError });
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await handle.close();
  await opened.close();
  return 0;
}

interface Source {
  /** Folder or address. */
  place: string;
  open(): Promise<OpenedIndex> | OpenedIndex;
}

function sourceOf(invocation: Invocation, today: () => string): Source {
  const {
    arguments: [folder],
    options,
    root,
  } = invocation;
  const url = siteUrlOf('index', options['index']);
  if (url !== undefined && folder !== undefined)
    throw new UsageError(`mcp takes a folder or --index URL, not both; got ${folder} and ${url}`);
  if (url !== undefined) return { place: url, open: () => openPublished(invocation, url) };
  if (folder !== undefined) return { place: resolve(folder), open: () => openFolder(resolve(folder)) };
  return { place: root.dir, open: () => openCheckout(invocation, today(), 'mcp') };
}

/** What is no index is refused at once, and not when a model asks. */
async function openOrRefuse(place: string, open: Source['open']): Promise<OpenedIndex> {
  const opened = await open();
  try {
    await opened.index.status();
    return opened;
  } catch (error) {
    await opened.close();
    throw whyNoIndex(place, error);
  }
}
