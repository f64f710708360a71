import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import {
  accessKeyPrefix,
  accessKeySecrets,
  type AccessKeys,
} from '../../core/schemas/access/access-keys.ts';
import { intersectPermissions } from '../../core/schemas/access/permissions.ts';
import { notice, problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { quoteForShell } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { accessKeysFile, parseAccessKeys, readAccessKeys } from '../../io/files/settings-files.ts';
import type { Root } from '../../io/files/root.ts';
import { nameVariable } from '../../io/http/credentials.ts';
import { listReadingKeys, readingKeyVariable, tokenRemedy } from './site-http.ts';

/** Holds the list of access keys if there is no file, for example in a workflow. */
export const [accessKeysVariable] = accessKeySecrets;

/** The kind of findings about keys that expire soon. */
export const endingKey = 'ending key';

/** The time a user has to replace a key that expires. */
const daysOfWarning = 14;

/** The host limits a secret to 5 KB. */
const maxSecretBytes = 5_000;

/** The access keys that the host accepts after a publication. */
export interface HostKeys {
  /** The valid keys; undefined without a usable list, or if access keys are not enabled: the host keeps its own. */
  keys?: AccessKeys;
  /** All secrets of the host by name, unused ones as empty lists, so no key of an earlier list remains. */
  secrets?: Readonly<Record<string, string>>;
  findings: Finding[];
}

/** Reads the access keys from the environment, otherwise from the root. Messages never quote a key. */
export function readHostKeys(
  root: Root,
  env: NodeJS.ProcessEnv,
  access: AccessConfig | undefined,
  day: Day,
): HostKeys {
  if (!access?.accessKeys.enabled) {
    return { findings: [] };
  }

  const { source, value, findings } = readKeyList(root, env);
  if (!value) {
    return { findings: findings.length > 0 ? findings : [noKeys] };
  }

  const { keys, findings: keyFindings } = judgeKeys(value, access, day, source);
  findings.push(...keyFindings);
  if (keys.length === 0) {
    findings.push(warning(source, 'has no valid key. To make one: npx release-index key new'));
  }

  const secrets = createSecrets(keys);
  if (!secrets) {
    const message = `has ${formatCount(keys.length, 'key')}, more than the host can keep. Remove unused ones`;
    return { findings: [...findings, problem(source, message)] };
  }

  return { keys, secrets, findings };
}

const noKeys = warning(
  accessKeysVariable,
  `is not set, and there is no ${accessKeysFile}. The host keeps the keys of an earlier publication, including revoked ones; without an earlier publication, it accepts no key`,
);

/** The list of keys, and where it is. Neither keys nor findings if there is no list. */
function readKeyList(root: Root, env: NodeJS.ProcessEnv) {
  const listInFile = readAccessKeys(root);
  const text = env[accessKeysVariable]?.trim();
  if (!text) {
    return { source: accessKeysFile, ...listInFile };
  }

  const list = parseAccessKeys(Buffer.from(text), accessKeysVariable);
  if (list.value && listInFile.value && !isDeepStrictEqual(list.value, listInFile.value)) {
    const message = `is used instead of ${accessKeysFile}, which differs`;
    list.findings.push(warning(accessKeysVariable, message));
  }
  return { source: accessKeysVariable, ...list };
}

/** The keys that are valid on a day, with findings about the others and about those that expire soon. */
function judgeKeys(allKeys: AccessKeys, access: AccessConfig, day: Day, source: string) {
  const keys: AccessKeys = [];
  const findings: Finding[] = [];

  for (const key of allKeys) {
    const name = `${key.name} (${key.user})`;
    const isExpired = key.expires < day;
    if (isExpired || !access.users.some(({ username }) => username === key.user)) {
      const reason = isExpired ? 'expired' : 'unknown user';
      findings.push(notice(source, `${name} is not accepted: ${reason}`));
      continue;
    }

    keys.push(key);

    if (key.expires < addDays(day, daysOfWarning)) {
      const message = `${name} expires after ${key.expires}. To replace it: npx release-index key new --user ${quoteForShell(key.user)} --expires <day>`;
      findings.push({ ...warning(source, message), kind: endingKey });
    }
  }

  return { keys, findings };
}

/** The secrets that hold the keys, by name; undefined if there are too many keys. */
function createSecrets(keys: AccessKeys): HostKeys['secrets'] {
  const lists: AccessKeys[] = [];
  for (const key of keys) {
    const list = lists.at(-1);
    if (list && Buffer.byteLength(JSON.stringify([...list, key])) <= maxSecretBytes) {
      list.push(key);
    } else {
      lists.push([key]);
    }
  }
  if (lists.length > accessKeySecrets.length) {
    return undefined;
  }

  return Object.fromEntries(
    accessKeySecrets.map((name, index) => [name, JSON.stringify(lists[index] ?? [])]),
  );
}

/** If the whole index is protected, publishing needs a key to compare with the live site and to read it back. */
export function checkReadingKey(
  { keys }: HostKeys,
  access: AccessConfig | undefined,
  env: NodeJS.ProcessEnv,
  baseUrl: string,
): Finding[] {
  // The variable of the host takes precedence, and may hold a token.
  if (access?.protect !== 'everything' || env[nameVariable(new URL(baseUrl))]) {
    return [];
  }

  const reason = findReadingProblem(listReadingKeys(env), keys, access);
  if (reason === undefined) {
    return [];
  }

  const remedy = access.accessKeys.enabled
    ? 'To make a key: npx release-index key new'
    : tokenRemedy;
  return [problem(readingKeyVariable, `${reason}. ${remedy}`)];
}

/** Why the publisher cannot read the index; undefined if a key may, or if only the host knows: it has a token, or there is no list. */
function findReadingProblem(
  ownKeys: readonly string[],
  keys: AccessKeys | undefined,
  { users, accessKeys }: AccessConfig,
): string | undefined {
  if (ownKeys.length === 0) {
    const credential = accessKeys.enabled
      ? 'an access key'
      : 'a token, as access keys are not enabled';
    return `is missing: comparing with the live site and reading it back need ${credential}`;
  }

  // The host takes a text with the prefix for an access key, any other text for a token.
  if (!keys || !ownKeys.every((key) => key.toLowerCase().startsWith(accessKeyPrefix))) {
    return undefined;
  }

  const ownDigests = ownKeys.map(sha256);
  const mayRead = keys.some((entry) => {
    const userLimits = users.filter(({ username }) => username === entry.user);
    const permissions = intersectPermissions(entry, ...userLimits);
    return ownDigests.includes(entry.sha256) && permissions.includes('read');
  });
  return mayRead ? undefined : 'has no valid access key with the permission "read"';
}
