import { randomBytes } from 'node:crypto';
import { deriveTokenKey } from '../../ask/server/access/own-token.ts';
import { isDay } from '../../core/model/dates.ts';
import type { AccessConfig, User } from '../../core/schemas/access/access-config.ts';
import {
  AccessKey,
  permissions,
  intersectPermissions,
  type AccessKeys,
  type Limits,
  type Permission,
} from '../../core/schemas/access/access-keys.ts';
import {
  InputError,
  notice,
  problem,
  type Finding,
  inputError,
} from '../../core/schemas/finding.ts';
import { show } from '../../core/schemas/problems.ts';
import { didYouMean, formatList } from '../../core/text/wording.ts';
import { tokenRemedy } from '../../deliver/publish/site-http.ts';
import { accessKeysFile, changeKeys } from '../../io/files/access-keys-file.ts';
import { sha256 as sha256Of } from '../../io/files/file-system.ts';
import { requireValue } from '../../io/files/read-documents.ts';
import { accessFile, readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import {
  parseOption,
  shared,
  text,
  texts,
  UsageError,
  type Command,
  type Invocation,
} from '../command.ts';

const optionTable = {
  user: text('NAME', 'its user, a user name of site/access.json; required'),
  expires: text('YYYY-MM-DD', 'its last valid day, UTC; required'),
  name: text('NAME', 'its name in the list (default: made from the user name)'),
  permissions: texts('LIST', `${permissions.join(',')}, or fewer (default: all of its user)`),
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'Writes only the key to standard output: "release_index_" and 256 random bits. The program does not store the key.',
    '.access/keys.json under the root, which git ignores, lists the keys: digest, name, user and last day of each.',
    'To revoke a key, remove its entry. To replace one, make another key first. The published list changes with the next',
    '"publish", which sends it to the host as a secret.',
    'In a workflow, "publish" takes the list from the variable RELEASE_INDEX_ACCESS_KEYS instead. To hand it over:',
    '  gh secret set RELEASE_INDEX_ACCESS_KEYS <.access/keys.json',
  ],
  examples: [
    ['key new --user jane --expires 2027-03-31', 'a key for a person'],
    ['key new --user bot --expires 2027-03-31 --name renovate', 'another key of a user'],
    ['key new --user bot --expires 2027-03-31 --permissions read', 'a limited one'],
  ],
  run: makeKey,
};

/** Saves the digest before it shows the key, so a shown key is valid. */
async function makeKey(invocation: Invocation<Options>): Promise<number> {
  const { root, env, day, report } = invocation;
  const { username, expires, limits, name: wantedName } = readWantedKey(invocation);
  if (env['GITHUB_ACTIONS'] === 'true') {
    throw inputError(
      'key new',
      'the log of a workflow would keep the key. Make the key on your own computer',
    );
  }

  checkUser(root, username, limits);

  const secret = `release_index_${randomBytes(32).toString('base64url')}`;
  const sha256 = sha256Of(secret);
  const tokenKey = await deriveTokenKey(secret);
  const { key, isFirst } = await changeKeys(root, (before) => {
    // Expired keys leave the list, which frees their names.
    const validKeys = (before ?? []).filter(({ expires }) => expires >= day);
    const name = chooseName(wantedName, username, validKeys);
    const key: AccessKey = { name, user: username, expires, sha256, tokenKey, ...limits };
    return { keys: [...validKeys, key], result: { key, isFirst: before === undefined } };
  });
  report.print(secret);

  if (isFirst) {
    const message = 'is new. Once it is published, keys of any other list are no longer valid';
    report.finding(notice(accessKeysFile, message));
  }

  const message = `a key of ${key.user}, shown only once; valid until the end of ${key.expires}. To apply it: npx release-index publish`;
  report.finding(notice(key.name, message));

  const { sha256: _, tokenKey: __, ...fields } = key;
  report.document({ verb: 'key new', ...fields, key: secret });
  return 0;
}

interface WantedKey {
  readonly username: string;
  readonly expires: string;
  readonly name: string | undefined;
  readonly limits: Pick<AccessKey, keyof Limits>;
}

/** Throws a UsageError with every problem. */
function readWantedKey({ options, day }: Invocation<Options>): WantedKey {
  const problems: string[] = [];
  const { user, expires } = options;
  if (typeof user !== 'string') {
    problems.push('key new needs a user: --user NAME');
  }

  if (typeof expires !== 'string') {
    problems.push('key new needs a last day: --expires YYYY-MM-DD');
  } else if (!isDay(expires) || expires < day) {
    problems.push(`--expires: expected a day from ${day} on, YYYY-MM-DD; got ${show(expires)}`);
  }

  const permissionNames = splitLists(options.permissions);
  for (const name of permissionNames ?? []) {
    if (!(permissions as readonly string[]).includes(name)) {
      problems.push(
        `--permissions: expected some of ${formatList(permissions, 9)}; got ${show(name)}.${didYouMean(name, permissions)}`,
      );
    }
  }

  let name: string | undefined;
  try {
    name = parseOption('--name', options.name, AccessKey.shape.name);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }

    problems.push(...error.lines);
  }

  if (problems.length > 0) {
    throw new UsageError(...problems);
  }

  const limits = { permissions: permissionNames as Permission[] | undefined };
  return { username: user as string, expires: expires as string, name, limits };
}

/** A list with commas, repeated options, or both. */
function splitLists(option: readonly string[] | undefined): string[] | undefined {
  if (option === undefined) {
    return undefined;
  }

  const names = option.flatMap((text) => text.split(','));
  return [...new Set(names.map((name) => name.trim()))];
}

/** Throws an `InputError` with every reason why the user may not have such a key. */
function checkUser(root: Root, username: string, limits: Limits): void {
  const access = requireValue(readAccessConfig(root));
  if (!access) {
    throw inputError(accessFile, `is missing, so the index is public. ${howToBegin}`);
  }
  if (!access.accessKeys.enabled) {
    throw inputError(accessFile, `accessKeys.enabled is false, so no key is valid. ${tokenRemedy}`);
  }

  const names = access.users.map((user) => user.username);
  const user = access.users.find((user) => user.username === username);
  const message = `users: there is no user "${username}".${didYouMean(username, names)} Users are ${formatList(names, 12)}`;
  const findings = user ? findExcess(user, limits) : [problem(accessFile, message)];
  if (findings.length > 0) {
    throw new InputError(findings);
  }
}

/** A key never has more than its user. */
function findExcess(
  { username, permissions: granted }: User,
  { permissions: asked }: Limits,
): Finding[] {
  const excess = asked?.filter(
    (name) => !intersectPermissions({ permissions: granted }).includes(name),
  );
  return (excess ?? []).map((name) =>
    problem(accessFile, `users: ${username} has permissions ${granted?.join(', ')}, not ${name}`),
  );
}

const example: Pick<AccessConfig, 'protect' | 'users'> = {
  protect: 'everything',
  users: [{ username: 'jane', email: 'jane@example.com' }],
};
const howToBegin = `Begin with ${JSON.stringify(example)}`;

/** The name given, or the next free one made from the user's name: `jane`, `jane-2`. */
function chooseName(keyName: string | undefined, user: string, keys: AccessKeys): string {
  const names = new Set(keys.map((key) => key.name));
  if (keyName !== undefined && names.has(keyName)) {
    const remedy = 'Remove it there, or choose another --name';
    throw inputError(accessKeysFile, `the key "${keyName}" exists already. ${remedy}`);
  }
  if (keyName !== undefined) {
    return keyName;
  }

  const letters = user.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  const stem = letters.replace(/^[^a-z0-9]+/, '').slice(0, 50) || 'key';
  let name = stem;
  for (let number = 2; names.has(name); number += 1) {
    name = `${stem}-${number}`;
  }
  return name;
}
