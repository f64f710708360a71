import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  McpServer,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { selectRuns } from './builds.ts';
import type { Row, Verdict } from '../core/schema/documents.ts';
import type { Run } from '../core/schema/events.ts';
import type { Line } from '../core/schema/published.ts';
import { AskError } from './errors.ts';
import type { PublishedIndex } from './index.ts';
import { readNames, requireComponent } from './names.ts';
import { judgeVersion, searchReleases } from './releases.ts';
import { findItem } from './scan.ts';
import { readList } from '../core/read-list.ts';
import { quote } from '../core/text.ts';

const instructions =
  'An index of the releases of components: which versions exist, which are still supported and until when, and what to move to. Versions are texts: quote them exactly. A verdict is as of the day in the answer. Unknown facts are left out, never guessed.';

const max = (initial: number) => z.int().min(1).max(500).default(initial);
const name = z.string().min(1).max(200);

/** The facts of an answer: sentences that a model can quote, and the same as data. */
interface Answer {
  readonly lines: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
}

/** A server with the five tools, for one request over HTTP or one connection over standard input and output. */
export function createMcpServer(index: PublishedIndex): McpServer {
  const server = new McpServer(
    { name: 'release-index', title: 'Release index', version: '1.0.0' },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };

  function add<Input extends z.ZodObject>(
    toolName: string,
    title: string,
    description: string,
    inputSchema: Input,
    answer: (input: z.infer<Input>) => Promise<Answer>,
  ): void {
    server.registerTool(
      toolName,
      { title, description, inputSchema: inputSchema as z.ZodObject, annotations },
      async (input: unknown) => {
        try {
          const { asOf } = await index.status();
          const { lines, content } = await answer(input as z.infer<Input>);
          return {
            content: [{ type: 'text' as const, text: lines.join('\n') }],
            structuredContent: { asOf, ...content },
          };
        } catch (error) {
          // A wrong call is an answer, too: the model may correct it.
          if (!(error instanceof AskError)) {
            console.error(error);
          }
          const text =
            error instanceof AskError ? error.message : 'The program failed. Its log says why.';
          return { content: [{ type: 'text' as const, text }], isError: true };
        }
      },
    );
  }

  add(
    'check_versions',
    'Check versions',
    'Whether versions in use may stay, until when, what to move to and by which day. One version, a list, or a bill of materials.',
    z.strictObject({
      text: z
        .string()
        .min(1)
        .max(200_000)
        .describe('Such as "svc 2025.1", or lines of it, or a bill of materials as JSON'),
    }),
    ({ text }) => checkVersions(index, text),
  );
  add(
    'find_releases',
    'Find releases',
    'Releases of a query such as component:svc isSupported, or supportedUntil:<2027-01-31; all terms must hold.',
    z.strictObject({ query: z.string(), max: max(50) }),
    ({ query, max: limit }) => findReleases(index, query, limit),
  );
  add(
    'show_component',
    'Show a component',
    'Support policy, latest version, release lines and their ends, packages and homepage; of a line its releases. Without a component: the names of all.',
    z.strictObject({ component: name.optional(), line: name.optional() }),
    (input) => showComponent(index, input),
  );
  add(
    'changes_since',
    'Changes since a day',
    'What the index recorded since a day, newest first: releases, deprecations, ends of support announced, moved or reached, withdrawals.',
    z.strictObject({ date: z.iso.date(), component: name.optional(), max: max(20) }),
    (input) => listChanges(index, input),
  );
  add(
    'list_runs',
    'Runs of the index',
    'The newest runs that gathered this index: when, how many sources, which failed or were held, and why.',
    z.strictObject({ query: z.string().default(''), max: max(5) }),
    ({ query, max: limit }) => listRuns(index, query, limit),
  );
  return server;
}

async function checkVersions(index: PublishedIndex, text: string): Promise<Answer> {
  const { items, problems } = readList(text, [...(await readNames(index)).keys()]);
  const checked: object[] = [];
  const lines: string[] = [];
  const notRead = [...problems];
  for (const item of items) {
    const match = await findItem(index, item);
    if (!match || item.version === undefined) {
      notRead.push(`${quote(item.text)}: ${match ? 'no version is stated' : 'not in the index'}`);
      continue;
    }

    const { component } = match.details;
    const verdict = judgeVersion(match.details, match.release?.version ?? item.version);
    checked.push({ component, ...pickVerdict(verdict) });
    lines.push(
      [`${verdict.label}.`, verdict.sentence, verdict.advice, ...verdict.because].join(' '),
    );
  }
  return {
    lines: [...lines, ...notRead.slice(0, 50).map((each) => `Not read: ${each}.`)],
    content: { items: checked, notRead: notRead.slice(0, 50) },
  };
}

function pickVerdict({
  version,
  line,
  state,
  isSupported,
  supportedUntil,
  moveTo,
  moveBy,
  moveReason,
  advisories,
  severity,
}: Verdict) {
  return {
    version,
    line,
    state,
    isSupported,
    supportedUntil,
    moveTo,
    moveBy,
    moveReason,
    advisories,
    severity,
  };
}

async function findReleases(index: PublishedIndex, query: string, limit: number): Promise<Answer> {
  const { releases, notes } = await searchReleases(index, query);
  const shown = releases.slice(0, limit).map(pickRow);
  return {
    lines: [
      `${shown.length} of ${releases.length} releases.`,
      ...notes,
      ...shown.map(
        ({ component, version, state, releaseTimestamp, timestampKind, supportedUntil }) =>
          [
            `${component} ${version}: ${state}`,
            releaseTimestamp &&
              `released ${timestampKind === 'observed' ? 'on or before ' : ''}${String(releaseTimestamp).slice(0, 10)}`,
            supportedUntil && `end of support ${supportedUntil}`,
          ]
            .filter(Boolean)
            .join(', '),
      ),
    ],
    content: { total: releases.length, releases: shown },
  };
}

function pickRow({
  component,
  version,
  line,
  state,
  releaseTimestamp,
  timestampKind,
  supportedUntil,
  supportedUntilAtMost,
}: Row): Record<string, unknown> {
  return {
    component,
    version,
    line,
    state,
    releaseTimestamp,
    timestampKind: timestampKind === 'observed' ? timestampKind : undefined,
    supportedUntil,
    supportedUntilAtMost,
  };
}

async function showComponent(
  index: PublishedIndex,
  { component, line }: { component?: string | undefined; line?: string | undefined },
): Promise<Answer> {
  if (component === undefined) {
    const { components } = await index.status();
    const names = Object.keys(components);
    return {
      lines: [
        `${names.length} components.`,
        ...names.map((each) => `${each} (${components[each]!.title})`),
      ],
      content: { components: names },
    };
  }

  const details = await requireComponent(index, component);
  if (line === undefined) {
    const { title, homepage, support, latest, packages, replacedBy } = details;
    const supported = details.lines.filter((each) => each.isSupported).slice(-20);
    const sentences = [
      `${title} (${details.component}): ${support.description}`,
      latest ? `The latest version is ${latest}.` : 'It has no latest version.',
      replacedBy && `It is replaced by ${replacedBy}.`,
      ...supported.map(describeLine),
      packages.length > 0 && `Packages: ${packages.join(', ')}.`,
      homepage,
    ];
    return {
      lines: [sentences.filter(Boolean).join(' ')],
      content: {
        component: details.component,
        title,
        homepage,
        latest,
        policy: support.description,
        lines: supported,
      },
    };
  }

  const found = details.lines.find((each) => each.line === line);
  if (!found) {
    throw new AskError(
      404,
      `line: ${details.component} has no release line ${quote(line)}. It has ${
        details.lines
          .map((each) => each.line)
          .reverse()
          .slice(0, 20)
          .join(', ') || 'none'
      }.`,
    );
  }
  const versions = details.releases
    .filter((release) => release.line === line)
    .map(({ version }) => version);
  return {
    lines: [`${describeLine(found)} Releases: ${versions.reverse().join(', ')}.`],
    content: { component: details.component, line: found, releases: versions },
  };
}

function describeLine({ line, state, supportedUntil, supportedUntilAtMost }: Line): string {
  const end =
    supportedUntil &&
    ` until ${supportedUntil}${supportedUntilAtMost ? ` to ${supportedUntilAtMost}` : ''}`;
  return `${line} is ${state}${end ?? ''}.`;
}

async function listChanges(
  index: PublishedIndex,
  { date, component, max: limit }: { date: string; component?: string | undefined; max: number },
): Promise<Answer> {
  const wanted =
    component === undefined ? undefined : (await requireComponent(index, component)).component;
  const recorded = (await index.changes(Date.parse(date))).filter(
    (change) => !change.initial && (wanted === undefined || change.component === wanted),
  );
  const shown = recorded.reverse().slice(0, limit);
  return {
    lines: [
      `${shown.length} of ${recorded.length} changes since ${date}.`,
      ...shown.map((change) => `${change.at.slice(0, 10)}: ${change.component}: ${change.text}`),
    ],
    content: { total: recorded.length, changes: shown },
  };
}

async function listRuns(index: PublishedIndex, query: string, limit: number): Promise<Answer> {
  const runs = selectRuns(query, await index.runs()).reverse();
  const shown = runs.slice(0, limit);
  return {
    lines: [`${shown.length} of ${runs.length} runs, newest first.`, ...shown.map(describeRun)],
    content: {
      runs: shown.map(({ id, at, asked, events, troubles = [], waits = [] }) => ({
        id,
        at,
        asked,
        events,
        troubles: troubles.length,
        waits: waits.length,
      })),
    },
  };
}

function describeRun({ at, components, asked, events, troubles = [], waits = [] }: Run): string {
  const causes = new Set([
    ...troubles.map(({ component, kind, reason }) => `${component} ${kind}: ${reason}`),
    ...waits.map(({ component, reason }) => `${component} held: ${reason}`),
  ]);
  return [
    `${at}: ${asked} sources of ${components} components asked, ${events} events recorded.`,
    ...[...causes].slice(0, 3),
    causes.size > 3 && `And ${causes.size - 3} more.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The tools over stateless HTTP. */
export function createMcp(index: PublishedIndex, baseUrl: string) {
  const handler = createMcpHandler(() => createMcpServer(index), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: 1_300_000,
    onerror: (error) => console.error(error),
  });
  const hosts = [new URL(baseUrl).hostname, ...localhostAllowedHostnames()];
  return async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, hosts) ?? handler.fetch(request);
}
