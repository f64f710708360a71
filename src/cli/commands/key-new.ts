import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { deriveTokenKey } from '../../ask/server/access/own-token.ts';
import { findEarliestDay, isDay, toDay, type Day } from '../../core/model/dates.ts';
import { pick } from '../../core/model/objects.ts';
import {
  AccessKey,
  accessKeyPrefix,
  type AccessKeys,
} from '../../core/schemas/access/access-keys.ts';
import { permissions, intersectPermissions } from '../../core/schemas/access/permissions.ts';
import { InputError, notice, problem, inputError } from '../../core/schemas/finding.ts';
import { didYouMean, formatList } from '../../core/text/wording.ts';
import { tokenRemedy } from '../../deliver/publish/site-http.ts';
import {
  accessKeysFile,
  changeKeys,
  accessFile,
  readValidAccess,
} from '../../io/files/settings-files.ts';
import { sha256 } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { shared, text, texts, type Command, type Invocation } from '../command.ts';
import { parseOption } from '../option-values.ts';

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
    `Writes only the key to standard output: "${accessKeyPrefix}" and 256 random bits. The program does not store the key.`,
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
  /** Saves the digest before it shows the key, so no key is shown that the list lacks. */
  async run(invocation) {
    const { root, env, day, report } = invocation;
    const wantedKey = readWantedKey(invocation);
    rejectWorkflow(env);
    checkUser(root, wantedKey);

    const secret = `${accessKeyPrefix}${randomBytes(32).toString('base64url')}`;
    const { key, isFirst } = await saveKey(root, day, wantedKey, secret);
    report.print(secret);
    if (isFirst) {
      const message = 'is new. Once it is published, keys of any other list are no longer valid';
      report.finding(notice(accessKeysFile, message));
    }

    const until = `valid until the end of ${key.expires}. To apply it: npx release-index publish`;
    report.finding(notice(key.name, `a key of ${key.user}, shown only once; ${until}`));

    const fields = pick(key, ['name', 'user', 'expires', 'permissions']);
    report.document({ verb: 'key new', asOf: day, ...fields, key: secret });
    return 0;
  },
};

type WantedKey = z.infer<ReturnType<typeof createKeySchema>>;

const optionNames = {
  user: '--user',
  expires: '--expires',
  permissions: '--permissions',
  name: '--name',
};

/** The options of a key that is valid on a day. */
function createKeySchema(day: Day) {
  const expectedDay = `expected a day from ${day} on, YYYY-MM-DD`;
  return z.object({
    user: z.string({ error: 'expected a user name of site/access.json, as in --user jane' }),
    expires: z
      .string({ error: expectedDay })
      .refine((text) => isDay(text) && text >= day, { error: expectedDay }),
    permissions: z
      .array(z.enum(permissions, { error: `expected some of ${permissions.join(', ')}` }))
      .optional(),
    name: AccessKey.shape.name.optional(),
  });
}

/** Reads the options of the key. Throws a UsageError with every problem. */
function readWantedKey({ options, day }: Invocation<Options>): WantedKey {
  // A list with commas, repeated options, or both.
  const names = options.permissions?.flatMap((list) => list.split(',').map((name) => name.trim()));
  const wanted = { ...options, permissions: names && [...new Set(names)] };
  return parseOption('key new', wanted, createKeySchema(day), optionNames)!;
}

function rejectWorkflow(env: NodeJS.ProcessEnv): void {
  if (env['GITHUB_ACTIONS'] === 'true' || env['GITLAB_CI'] === 'true') {
    throw inputError(
      'key new',
      'the log of a workflow or pipeline would keep the key. Make the key on your own computer',
    );
  }
}

/** Throws an `InputError` if the user may not have such a key, with every permission that the user lacks. */
function checkUser(root: Root, { user: username, permissions: names = [] }: WantedKey): void {
  const access = readValidAccess(root);
  if (!access) {
    const example =
      '{"protect":"everything","users":[{"username":"jane","email":"jane@example.com"}]}';
    throw inputError(accessFile, `is missing, so the index is public. Begin with ${example}`);
  }
  if (!access.accessKeys.enabled) {
    throw inputError(accessFile, `accessKeys.enabled is false, so no key is valid. ${tokenRemedy}`);
  }

  const user = access.users.find((candidate) => candidate.username === username);
  if (!user) {
    const usernames = access.users.map((candidate) => candidate.username);
    const choices = `${didYouMean(username, usernames)} Users are ${formatList(usernames, 12)}`;
    throw inputError(accessFile, `users: there is no user "${username}".${choices}`);
  }

  // A key never has more than its user.
  const granted = intersectPermissions(user);
  const excess = names.filter((name) => !granted.includes(name));
  if (excess.length > 0) {
    const userLimits = `users: ${username} has permissions ${user.permissions?.join(', ')}`;
    throw new InputError(excess.map((name) => problem(accessFile, `${userLimits}, not ${name}`)));
  }
}

/** Adds the digest of a key to the list. Expired keys leave it, which frees their names. */
async function saveKey(root: Root, day: Day, wantedKey: WantedKey, secret: string) {
  const tokenKey = await deriveTokenKey(secret);
  // With `--as-of`, a key leaves the list only if it has expired on that day and by the clock.
  const expiryLimit = findEarliestDay([day, toDay(new Date())])!;

  return changeKeys(root, (savedKeys) => {
    const keys = (savedKeys ?? []).filter(({ expires }) => expires >= expiryLimit);
    const key: AccessKey = {
      name: chooseName(wantedKey, keys),
      user: wantedKey.user,
      expires: wantedKey.expires,
      sha256: sha256(secret),
      tokenKey,
      permissions: wantedKey.permissions,
    };
    return { keys: [...keys, key], result: { key, isFirst: savedKeys === undefined } };
  });
}

/** The wanted name, or the next free one made from the user's name: `jane`, `jane-2`. */
function chooseName({ name: wantedName, user }: WantedKey, keys: AccessKeys): string {
  const names = new Set(keys.map((key) => key.name));
  if (wantedName !== undefined) {
    if (names.has(wantedName)) {
      const remedy = 'Remove it there, or choose another --name';
      throw inputError(accessKeysFile, `the key "${wantedName}" exists already. ${remedy}`);
    }

    return wantedName;
  }

  const letters = user.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  const stem = letters.replace(/^[^a-z0-9]+/, '').slice(0, 50) || 'key';
  let name = stem;
  for (let number = 2; names.has(name); number += 1) {
    name = `${stem}-${number}`;
  }
  return name;
}
