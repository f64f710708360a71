import { rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli, type Ran } from '../harness/cli.ts';
import { readJsonIn } from '../harness/root.ts';
import { openIndex, type TestIndex } from '../deliver/daily/index-of-three.ts';
import { standardWebhooks } from './install.ts';

interface Verifier {
  verify(body: string, headers: IncomingHttpHeaders): unknown;
}
const { Webhook } = createRequire(import.meta.url)(standardWebhooks.dir) as {
  Webhook: new (secret: string) => Verifier;
};

interface Change {
  initial?: true;
}
interface Received {
  type: string;
  data: { changes: Change[] };
}

const secret = `whsec_${Buffer.from('a key of thirty-two bytes, plain').toString('base64')}`;
const verifier = new Webhook(secret);
const received: Received[] = [];
const ids: unknown[] = [];
/** How the receiver answers; 0 breaks the connection. */
let status = 204;
let requests = 0;
let receiver: Server;
let index: TestIndex;
let url: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    requests++;
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (status === 0) {
        return void request.socket.destroy();
      }
      // Throws where the signature is not that of the body, or too old.
      if (status < 300) {
        received.push(verifier.verify(body, request.headers) as Received);
      }
      if (status < 300) {
        ids.push(request.headers['webhook-id']);
      }
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook/very-secret?token=also-secret`;
  index = await openIndex();
});

afterAll(async () => {
  receiver.close();
  await index.close();
});

const environment = () => ({
  RELEASE_INDEX_WEBHOOK_URL: url,
  RELEASE_INDEX_WEBHOOK_SECRET: secret,
});

async function runDay(
  number: number,
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<Ran> {
  const day = await index.runDay(`2026-11-0${number}`, { ...environment(), ...env }, { options });
  expect(day.status, day.stderr).toBe(0);
  expect(index.git('status', '--porcelain')).toBe('');
  expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
  expect(`${day.stdout}${day.stderr}`).not.toContain('secret?');
  return day;
}

test('a receiver gets each event once, whatever fails in between', async () => {
  const days: { answers?: number; env?: Record<string, string> }[] = [
    { answers: 204 },
    { answers: 200 },
    { answers: 500 },
    { answers: 0 },
    { answers: 302 },
    { env: { RELEASE_INDEX_WEBHOOK_SECRET: 'whsec_short' } },
    { env: { RELEASE_INDEX_WEBHOOK_URL: 'http://hooks.example.com/very-secret?token=1' } },
    { answers: 204 },
  ];
  const warnings: string[] = [];
  for (const [place, { answers = 204, env }] of days.entries()) {
    status = answers;
    if (place > 0) {
      index.packages.svc.push(`2026.${place + 5}`);
    }
    if (place === 4) {
      index.packages.svcctl.push('3.1');
    }
    const { stderr } = await runDay(place + 1, env);
    warnings.push(...stderr.split('\n').filter((line) => line.includes('webhook:')));
  }
  const { changes } = readJsonIn<{ changes: Change[] }>(index.served, 'changes.json');
  const expected = changes.filter(({ initial }) => !initial).reverse();
  const host = new URL(url).host;

  expect(received.flatMap(({ data }) => data.changes)).toEqual(expected);
  expect(received.map(({ data }) => data.changes.length)).toEqual([1, 7]);
  expect(received.every(({ type }) => type === 'changes.recorded')).toBe(true);
  expect(new Set(ids).size).toBe(2);
  // The first run has nothing to send, and a redirect is not followed.
  expect(requests).toBe(5);
  expect(warnings).toEqual([
    `warning: webhook: ${host} answered 500. 1 event waits for the next run.`,
    expect.stringMatching(
      `^warning: webhook: ${host} could not be reached \\(\\w+\\). 2 events wait for the next run.$`,
    ),
    `warning: webhook: ${host} answered 302. 4 events wait for the next run.`,
    'warning: webhook: RELEASE_INDEX_WEBHOOK_SECRET: expected whsec_ and at least 24 random bytes as base64. 5 events wait for the next run.',
    'warning: webhook: RELEASE_INDEX_WEBHOOK_URL: expected an https: address without credentials. 6 events wait for the next run.',
  ]);
  expect(index.git('log', '--format=%s', '--grep=webhook').split('\n')).toEqual([
    'Deliver 7 events to the webhook',
    'Deliver 1 event to the webhook',
  ]);
}, 300_000);

test('a receiver gets the alerts of a day, and none where all is in order', async () => {
  received.length = 0;
  const alerts = async () => {
    const options = ['attention', '--webhook', '--root', index.root.dir, '--as-of', '2026-11-08'];
    return (await runCli(options, { env: environment() })).stdout;
  };
  const ofThisRun = await alerts();
  // A run that broke off leaves none.
  rmSync(join(index.root.dir, '.cache/daily.json'));
  const printed = [ofThisRun, await alerts()];

  expect(printed).toEqual([
    'Posted 0 alerts to the webhook.\n',
    'Posted 1 alert to the webhook.\n',
  ]);
  const alert = {
    ...{ kind: 'publish', cause: 'daily' },
    runbookUrl: expect.stringMatching(/RUNBOOK\.md#the-site-was-not-published$/) as string,
  };
  expect(received).toMatchObject([
    { type: 'attention.reported', data: { alerts: [] } },
    { type: 'attention.reported', data: { alerts: [alert] } },
  ]);
});
