import { commandLine } from '../../core/command-prefix.ts';
import { accessKeySecrets } from '../../ask/worker/access-of.ts';
import { addDays, type Day } from '../../core/dates.ts';
import type { Env } from '../../core/env.ts';
import { variableOf } from '../../io/http/own-credentials.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { accessKeyForm, type AccessKey, type AccessKeys } from '../../core/schemas/access-keys.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { accessKeysFile, parseAccessKeys, readAccessKeys } from '../../io/files/access-keys-file.ts';
import type { Root } from '../../io/files/root.ts';
import { sha256 as sha256Of } from '../../io/files/sha256.ts';
import { counted } from '../../core/text.ts';
import { ownKeyVariable } from './site-http.ts';

/** Where a run that has no list of its own is told which keys count, as a workflow is. */
export const accessKeysVariable = accessKeySecrets[0]!;

/** How long before it ends a key is told to end: whoever uses it has to be given another in that time. */
const daysOfWarning = 14;

/** A secret of the host holds 5 KB. */
const mostBytes = 5_000;

export interface SentKeys {
  /** Those that count; undefined where no list is known, and whichever the host has stay. */
  keys?: AccessKeys;
  /** The secrets of the host by name, each of them, so that nothing stays of an earlier list. */
  secrets?: Readonly<Record<string, string>>;
  findings: Finding[];
}

/** Why a key does not count on a day; undefined where it does. */
export function whyKeyIsVoid(
  { user, expires }: Pick<AccessKey, 'user' | 'expires'>,
  access: AccessConfig | undefined,
  day: Day,
): string | undefined {
  if (expires < day) return 'expired';
  if (!access) return 'nothing is protected';
  if (!access.accessKeys.enabled) return 'access keys are not enabled';
  if (!access.users.some(({ username }) => username === user)) return 'no such user any more';
  return undefined;
}

/** The keys that the host is told of: those of the environment, else those of the root. No message quotes any. */
export function readSentKeys(root: Root, env: Env, access: AccessConfig, day: Day): SentKeys {
  if (!access.accessKeys.enabled) return { findings: [] };
  const given = env[accessKeysVariable]?.trim();
  const kept = readAccessKeys(root);
  const { value, findings } = given
    ? parseAccessKeys(Buffer.from(given), accessKeysVariable)
    : { value: kept.value?.before && kept.value.keys, findings: kept.findings };
  if (findings.length > 0) return { findings };
  if (!value) return { findings: [nothingKnown] };
  const from = given ? accessKeysVariable : accessKeysFile;
  const keys: AccessKeys = [];
  for (const key of value) {
    const why = whyKeyIsVoid(key, access, day);
    const who = `${key.name} (${key.user})`;
    if (why !== undefined) {
      findings.push({ level: 'notice', subject: from, message: `${who} does not count: ${why}` });
      continue;
    }
    keys.push(key);
    if (key.expires < addDays(day, daysOfWarning)) {
      const message = `${who} counts until the end of ${key.expires}. To make another: ${commandLine('key', 'new')}`;
      findings.push({ level: 'warning', subject: from, message });
    }
  }
  if (keys.length === 0)
    findings.push({
      level: 'warning',
      subject: from,
      message: `holds no key that counts. To make one: ${commandLine('key', 'new')}`,
    });
  if (given && kept.value?.before && JSON.stringify(kept.value.keys) !== JSON.stringify(value)) {
    const message = `counts, and not ${accessKeysFile}, which differs`;
    findings.push({ level: 'warning', subject: accessKeysVariable, message });
  }
  const parts = divide(keys);
  if (parts.length > accessKeySecrets.length) {
    const message = `holds ${counted(keys.length, 'key')}, more than the host keeps. Revoke those that nobody uses`;
    return { findings: [...findings, problem(from, message)] };
  }
  const secrets = Object.fromEntries(
    accessKeySecrets.map((name, index) => [name, JSON.stringify(parts[index] ?? [])]),
  );
  return { keys, secrets, findings };
}

/** What asks everybody for a credential asks whoever reads it back for one, too. */
export function whyNotReadBack(
  { keys }: SentKeys,
  { protect }: AccessConfig,
  env: Env,
  baseUrl: string,
): Finding[] {
  // What is meant for that host goes there first, and may be a token as well.
  if (protect !== 'everything' || env[variableOf(new URL(baseUrl))]) return [];
  const key = env[ownKeyVariable]?.trim();
  if (!key) {
    const message = `is missing: what asks everybody for a credential asks "publish" for one, too, when it compares and reads back. Make it an access key: ${commandLine('key', 'new')}`;
    return [problem(ownKeyVariable, message)];
  }
  if (!keys || !accessKeyForm.test(key) || keys.some(({ sha256 }) => sha256 === sha256Of(key))) return [];
  const message = `is none of the keys that will count, so that the site could not be read back. Make one: ${commandLine('key', 'new')}`;
  return [problem(ownKeyVariable, message)];
}

const nothingKnown: Finding = {
  level: 'warning',
  subject: accessKeysVariable,
  message: `is not set, and there is no ${accessKeysFile}: no key is told to the host. Those of an earlier publication stay, revoked ones, too; if there was none, no key counts`,
};

/** As many lists as it takes for each to find room in a secret. */
function divide(keys: AccessKeys): AccessKeys[] {
  const parts: AccessKeys[] = [];
  for (const key of keys) {
    const last = parts.at(-1);
    if (last && Buffer.byteLength(JSON.stringify([...last, key])) <= mostBytes) last.push(key);
    else parts.push([key]);
  }
  return parts;
}
