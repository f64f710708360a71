import { resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { explainError } from '../../ask/answers/explain-error.ts';
import { renderClientConfiguration, folderServer } from '../../ask/server/mcp/connection.ts';
import { createMcpServer } from '../../ask/server/mcp/mcp-server.ts';
import { toDay, type Day } from '../../core/model/dates.ts';
import { warning } from '../../core/schemas/finding.ts';
import {
  index,
  shared,
  readSiteUrl,
  UsageError,
  type Command,
  type Invocation,
  unableStatus,
} from '../command.ts';
import { openCheckoutIndex } from '../open-index.ts';
import {
  explainIndexError,
  openFolder,
  openPublished,
  type OpenedIndex,
} from '../open-published.ts';

const optionTable = { index, ...shared('root', 'as-of') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { optional: ['folder'] },
  options: optionTable,
  details: [
    'An agent starts this program, which ends at the end of its input. Its tools answer like "explain" and "search", and list past',
    'and coming changes. Standard output has only answers of the protocol.',
    'It reads definitions and data of the root, the folder of a built site, or a published index, which it reads again each hour.',
    'The configuration of a client, where DIR is the folder:',
    '',
    ...renderClientConfiguration(folderServer)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'For clients that take a URL, the published site has the same tools at /mcp.',
  ],
  examples: [
    ['mcp', 'from components/ and data/'],
    ['mcp dist', 'from a built site'],
    ['mcp --index https://releases.example.com', 'from a published index'],
  ],
  statusOfInputErrors: unableStatus,
  run,
};

/** A copy of a published index is used for an hour, then read again. */
const maxAgeMs = 3_600_000;

/** Answers on standard output, and writes nothing else there, until the input ends or a signal comes. */
async function run(invocation: Invocation<Options>): Promise<number> {
  const { options, day, report, signal } = invocation;
  const readToday = () => (options['as-of'] === undefined ? toDay(new Date()) : day);
  const { place, open } = openSource(invocation, readToday);
  let opened: OpenedIndex = open();
  let openedAt = Date.now();
  await tryIndex(place, opened);

  const onError = (error: unknown) => {
    const { message, stack } = error as Error;
    report.finding({ ...warning(place, message), stack: explainError(error) ? undefined : stack });
    // The next question reads it again.
    openedAt = 0;
  };

  const server = () =>
    createMcpServer({
      async open() {
        if (Date.now() - openedAt > maxAgeMs) {
          const former = opened;
          opened = open();
          openedAt = Date.now();
          await former.close?.();
        }

        return opened.index;
      },
      onError,
    });

  const handle = serveStdio(server, {
    onerror: ({ message }) => report.finding(warning(place, message)),
  });

  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });

  await handle.close();
  await opened.close?.();
  return 0;
}

/** The folder or address of the index, and how to open it. */
function openSource(invocation: Invocation<Options>, today: () => Day) {
  const {
    arguments: [argument],
    options,
    root,
  } = invocation;
  const folder = argument && resolve(argument);
  const url = readSiteUrl('--index', options.index);
  if (url !== undefined && folder !== undefined) {
    throw new UsageError(`mcp accepts a folder or --index URL, not both; got ${folder} and ${url}`);
  }
  if (url !== undefined) {
    return { place: url, open: () => openPublished(invocation, url, today) };
  }

  if (folder !== undefined) {
    return { place: folder, open: () => openFolder(folder, today) };
  }

  return { place: root.dir, open: () => openCheckoutIndex({ ...invocation, day: today() }) };
}

/** Rejects a place without an index now, rather than at the first question. */
async function tryIndex(place: string, { index, close }: OpenedIndex): Promise<void> {
  try {
    await index.status();
  } catch (error) {
    await close?.();
    throw explainIndexError(place, error) ?? error;
  }
}
