import { accessKeySecrets } from '../../ask/server/access/worker-access.ts';
import { addDays, type Day } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import {
  accessKeyForm,
  intersectPermissions,
  type AccessKey,
  type AccessKeys,
} from '../../core/schemas/access/access-keys.ts';
import { notice, problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { formatCount } from '../../core/text/wording.ts';
import {
  accessKeysFile,
  parseAccessKeys,
  readAccessKeys,
} from '../../io/files/access-keys-file.ts';
import { sha256 as sha256Of } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { nameVariable } from '../../io/http/credentials.ts';
import { tokenRemedy, listReadingKeys, readingKeyVariable } from './site-http.ts';

/** Holds the list of access keys if there is no file, for example in a workflow. */
export const [accessKeysVariable] = accessKeySecrets;

/** The time a user has to replace a key that expires. */
const daysOfWarning = 14;

/** The host limits a secret to 5 KB. */
const maxSecretBytes = 5_000;

/** The access keys that the host accepts after a publication. */
export interface HostKeys {
  /** The valid keys; undefined if there is no list, so the host keeps its own. */
  keys?: AccessKeys;
  /** All secrets of the host by name, unused ones as empty lists, so no key of an earlier list remains. */
  secrets?: Readonly<Record<string, string>>;
  findings: Finding[];
  /** The findings about keys that expire soon. */
  ending?: readonly Finding[];
}

/** The reason why a key is not accepted on a day; undefined if it is accepted. */
function describeRejection(
  { user, expires }: Pick<AccessKey, 'user' | 'expires'>,
  { users }: AccessConfig,
  day: Day,
): string | undefined {
  if (expires < day) {
    return 'expired';
  }
  if (!users.some(({ username }) => username === user)) {
    return 'unknown user';
  }

  return undefined;
}

/** Reads the access keys from the environment, otherwise from the root. Messages never quote a key. */
export function readHostKeys(
  root: Root,
  env: NodeJS.ProcessEnv,
  access: AccessConfig,
  day: Day,
): HostKeys {
  if (!access.accessKeys.enabled) {
    return { findings: [] };
  }

  const keysText = env[accessKeysVariable]?.trim();
  const source = keysText ? accessKeysVariable : accessKeysFile;
  const keysOfRoot = readAccessKeys(root);
  const { value, findings } = keysText
    ? parseAccessKeys(Buffer.from(keysText), accessKeysVariable)
    : keysOfRoot;
  if (findings.length > 0) {
    return { findings };
  }
  if (!value) {
    return { findings: [noKeys] };
  }

  const { keys, rejected, ending } = judgeKeys(value, access, day, source);
  findings.push(...rejected, ...ending);

  if (keys.length === 0) {
    findings.push(warning(source, 'has no valid key. To make one: npx release-index key new'));
  }
  if (keysText && keysOfRoot.value && JSON.stringify(keysOfRoot.value) !== JSON.stringify(value)) {
    findings.push(warning(source, `is used instead of ${accessKeysFile}, which differs`));
  }

  const parts = splitKeys(keys);
  if (parts.length > accessKeySecrets.length) {
    const message = `has ${formatCount(keys.length, 'key')}, more than the host can keep. Remove unused ones`;
    return { findings: [...findings, problem(source, message)] };
  }

  const secrets = Object.fromEntries(
    accessKeySecrets.map((name, index) => [name, JSON.stringify(parts[index] ?? [])]),
  );
  return { keys, secrets, findings, ending };
}

/** The keys that are valid on a day, with findings about the others and about those that expire soon. */
function judgeKeys(allKeys: AccessKeys, access: AccessConfig, day: Day, source: string) {
  const keys: AccessKeys = [];
  const rejected: Finding[] = [];
  const ending: Finding[] = [];

  for (const key of allKeys) {
    const reason = describeRejection(key, access, day);
    const name = `${key.name} (${key.user})`;
    if (reason !== undefined) {
      rejected.push(notice(source, `${name} is not accepted: ${reason}`));
      continue;
    }

    keys.push(key);

    if (key.expires < addDays(day, daysOfWarning)) {
      const message = `${name} expires after ${key.expires}. To replace it: npx release-index key new --user ${key.user} --expires <day>`;
      ending.push(warning(source, message));
    }
  }

  return { keys, rejected, ending };
}

/** If the whole index is protected, publishing needs a key to compare with the live site and to read it back. */
export function checkReadingKey(
  { keys }: HostKeys,
  { protect, users, accessKeys }: AccessConfig,
  env: NodeJS.ProcessEnv,
  baseUrl: string,
): Finding[] {
  // The variable of the host takes precedence, and may hold a token.
  if (protect !== 'everything' || env[nameVariable(new URL(baseUrl))]) {
    return [];
  }

  const ownKeys = listReadingKeys(env);
  const remedy = accessKeys.enabled ? 'To make a key: npx release-index key new' : tokenRemedy;
  const reject = (message: string) => [problem(readingKeyVariable, `${message}. ${remedy}`)];
  const credential = accessKeys.enabled
    ? 'an access key'
    : 'a token, as access keys are not enabled';
  if (ownKeys.length === 0) {
    return reject(
      `is missing: comparing with the live site and reading it back need ${credential}`,
    );
  }

  if (!keys || ownKeys.some((key) => !accessKeyForm.test(key))) {
    return [];
  }

  const digests = ownKeys.map((key) => sha256Of(key));
  const entries = keys.filter(({ sha256 }) => digests.includes(sha256));
  for (const key of entries) {
    const userLimits = users.filter(({ username }) => username === key.user);
    if (intersectPermissions(key, ...userLimits).includes('read')) {
      return [];
    }
  }
  const [firstKey] = entries;
  if (!firstKey) {
    return reject('has no valid access key. To replace an expired one: npx release-index key new');
  }

  return reject(
    `is the key ${firstKey.name}, which may not read. Comparing with the live site and reading it back need the permission "read"`,
  );
}

const noKeys = warning(
  accessKeysVariable,
  `is not set, and there is no ${accessKeysFile}. The host keeps the keys of an earlier publication, including revoked ones; without an earlier publication, it accepts no key`,
);

/** Splits keys into lists that each fit into a secret. */
function splitKeys(keys: AccessKeys): AccessKeys[] {
  const parts: AccessKeys[] = [];
  for (const key of keys) {
    const part = parts.at(-1);
    if (part && Buffer.byteLength(JSON.stringify([...part, key])) <= maxSecretBytes) {
      part.push(key);
    } else {
      parts.push([key]);
    }
  }
  return parts;
}
