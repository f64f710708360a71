import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { warning, type Finding } from '../../core/schemas/finding.ts';
import { Count, JournalInstant } from '../../core/schemas/scalars.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { foldEdits } from '../../core/edits.ts';
import { counted } from '../../core/text.ts';
import { publishedEvents } from '../../decide/journal/published-events.ts';
import { valueOf } from '../../io/files/documents.ts';
import { listJournals, readJournal, readLines } from '../../io/files/journal.ts';
import { recordedFolder, type Root } from '../../io/files/root.ts';
import { createAddressGuard, systemAddresses } from '../../io/http/address-guard.ts';
import { defaultLimits, openConnections } from '../../io/http/connections.ts';
import { parseUrl } from '../../io/http/messages.ts';
import { saveLines } from '../../record/record-journal.ts';
import { remedyUrl, type Alert } from './alerts.ts';
import { placeOf } from '../../site/render/change-log.ts';

/** One line of `data/deliveries/webhook.ndjson`. The first line covers the events before the webhook, which are never sent. */
export const Delivery = z.strictObject({
  deliveredAt: JournalInstant,
  /** The instant of the last delivered events. */
  until: JournalInstant,
  events: Count,
});

interface WebhookInput {
  root: Root;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const [urlVariable, secretVariable] = ['RELEASE_INDEX_WEBHOOK_URL', 'RELEASE_INDEX_WEBHOOK_SECRET'];

/** Call before the first run with a webhook records events: the receiver gets only later events. */
export function beginDeliveries({ root, env }: WebhookInput): void {
  if (!env[urlVariable] || readDeliveries(root).value?.values.length !== 0) {
    return;
  }
  const until = eventsAfter(root, '').at(-1)?.at ?? new Date(0).toISOString();
  saveDelivery(root, until, 0);
}

/**
 * Posts all undelivered events in one request, with the events of one edit as one entry, as Standard Webhooks 1.0.0
 * (standardwebhooks.com). A failure does not fail the run: the finding says that the events wait for the next run. Returns
 * undefined if there is nothing to post.
 */
export async function postEvents(
  input: WebhookInput,
): Promise<Finding | { events: number } | undefined> {
  const { root, env } = input;
  if (!env[urlVariable]) {
    return undefined;
  }
  const { value, findings } = readDeliveries(root);
  const last = value?.values.at(-1);
  if (!last) {
    return findings[0] && { ...findings[0], level: 'warning' };
  }
  const events = eventsAfter(root, last.until).filter(({ initial }) => !initial);
  const until = events.at(-1)?.at;
  if (until === undefined) {
    return undefined;
  }
  const wait = `${counted(events.length, 'event')} wait${events.length === 1 ? 's' : ''} for the next run`;
  const problem = await post('changes.recorded', until, { changes: foldEdits(events) }, input);
  if (problem !== undefined) {
    return warning('webhook', `${problem}. ${wait}.`);
  }
  saveDelivery(root, until, events.length);
  return { events: events.length };
}

/**
 * Posts the alerts of a run, even an empty list: a receiver then notices a solved problem and a missing run. Returns the
 * problem, if any.
 */
export function postAlerts(
  alerts: readonly Alert[],
  input: Omit<WebhookInput, 'root'>,
): Promise<string | undefined> {
  const withRemedy = alerts.map((alert) => ({ ...alert, runbookUrl: remedyUrl(alert) }));
  return post('attention.reported', new Date().toISOString(), { alerts: withRemedy }, input);
}

/**
 * Returns the problem in a few words, if any. Names only the host, since the rest of the address may be secret. Follows no
 * redirects, as the specification requires.
 */
async function post(
  type: 'changes.recorded' | 'attention.reported',
  timestamp: string,
  data: object,
  { env, signal }: Omit<WebhookInput, 'root'>,
): Promise<string | undefined> {
  const key = /^whsec_([A-Za-z\d+/]{32,}={0,2})$/.exec(env[secretVariable] ?? '')?.[1];
  if (key === undefined) {
    const got = env[secretVariable] ? '' : '; it is not set';
    return `${secretVariable}: expected whsec_ and at least 24 random bytes as base64${got}`;
  }
  const address = env[urlVariable] ?? '';
  if (!URL.canParse(address)) {
    return `${urlVariable} is not a URL`;
  }
  const id = `${type === 'changes.recorded' ? 'events' : 'attention'}-${timestamp.replaceAll(/\D/g, '')}`;
  const body = JSON.stringify({ type, timestamp, data });
  const sentAt = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(
    `${id}.${sentAt}.${body}`,
  );
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
  const { host } = new URL(address);
  const guard = createAddressGuard(systemAddresses);
  const limits = { ...defaultLimits, totalMs: 30_000 };
  const { agent } = openConnections(limits, env, guard);
  try {
    const { origin, pathname, search } = parseUrl({ url: address, accept: [] });
    // A person configured this address, so it may be a private one.
    guard.trust(new URL(origin));
    const { statusCode, body: answer } = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'release-index', ...headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]),
    });
    await answer.dump({ limit: 64 * 1024 });
    return statusCode >= 200 && statusCode < 300 ? undefined : `${host} answered ${statusCode}`;
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return name === 'HttpError'
      ? `${urlVariable}: expected an https: address without credentials`
      : `${host} could not be reached (${code ?? name})`;
  } finally {
    await agent.destroy();
  }
}

/** The published events after an instant, in the order of publication. */
function eventsAfter(root: Root, until: string): PublishedChange[] {
  return listJournals(root)
    .flatMap((name) => publishedEvents(readJournal(root, name).value?.values ?? []))
    .filter(({ at }) => at > until)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function deliveriesPath(root: Root): string {
  return join(recordedFolder(root, 'deliveries'), 'webhook.ndjson');
}

export function readDeliveries(root: Root) {
  return readLines(deliveriesPath(root), 'data/deliveries/webhook.ndjson', Delivery);
}

function saveDelivery(root: Root, until: string, events: number): void {
  const deliveredAt = new Date().toISOString();
  saveLines(deliveriesPath(root), valueOf(readDeliveries(root)), [{ deliveredAt, until, events }]);
}
