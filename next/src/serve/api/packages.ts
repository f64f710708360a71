import * as z from 'zod';
import { createRoute } from './route.ts';
import { bodyLimit } from 'hono/body-limit';
import { Policy } from '../../core/schema/documents.ts';
import { AskError } from '../errors.ts';
import { findPolicy, PolicyScan, readStatement, scanPackage } from '../scan.ts';
import type { Api, Call } from './app.ts';
import { hashed, json, needs, problem, problems, query, sendJson, text } from './parts.ts';

const packagePath = {
  type: text(
    200,
    'a type of package URLs, such as npm, maven or generic',
    /^[A-Za-z][A-Za-z0-9.-]*$/,
  ),
  name: text(200, 'the name of a package'),
  version: text(200, 'a version such as 2025.3', /^[^\s\p{Cc}]+$/u),
};
const namespaced = { ...packagePath, namespace: text(200, 'a namespace such as @scope') };
const policy = text(63, 'the name of a policy').meta({ example: 'supported' });

/** Both paths of a package: a namespace is left out with its slash. */
const places = [
  { path: '/packages/{type}/{namespace}/{name}/{version}', params: namespaced },
  { path: '/packages/{type}/{name}/{version}', params: packagePath },
] as const;

const EvaluateRequest = z
  .strictObject({
    sha256: text(
      200,
      'a SHA-256 digest: 64 hexadecimal digits',
      /^(?:(?:sha256:)?[0-9A-Fa-f]{64}|sha512:[0-9A-Fa-f]{128})$/,
    ).optional(),
    repositoryUrl: text(
      2000,
      'the address of a repository, such as https://github.com/example/agent',
      /^(?:git@[\w.-]+:|(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?)?(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/)[^\s\p{Cc}?#]+$/u,
    ).optional(),
  })
  .meta({ id: 'EvaluateRequest' });

const Envelope = z
  .object({
    payload: z.string(),
    payloadType: z.string(),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
  })
  .meta({ id: 'Envelope' });

/** An array, or a line for each element where the client prefers that. */
const elements = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema: z.array(schema) }, 'application/x-ndjson': { schema } },
});

export function addPackages(api: Api): void {
  for (const { path, params } of places) {
    const limit = bodyLimit({
      maxSize: 1_000_000,
      onError: () => {
        throw new AskError(413, 'body: expected at most 1,000,000 bytes');
      },
    });
    const scan = needs('scan');

    api.add(
      createRoute({
        method: 'post',
        path: `${path}/policy-scans/{policy}`,
        summary: 'Checks a package or component against a policy.',
        ...scan,
        middleware: [scan.middleware, limit],
        request: {
          params: z.object({ ...params, policy }),
          query: query({}),
          body: {
            content: {
              'application/json': { schema: EvaluateRequest },
              'application/x-www-form-urlencoded': { schema: EvaluateRequest },
              'multipart/form-data': { schema: EvaluateRequest },
            },
          },
        },
        responses: {
          200: elements(PolicyScan, 'The result'),
          404: problem('There is no such policy.'),
          ...problems,
        },
      }),
      async (call, input) => {
        const { policy: name, ...segments } = input.params;
        const stated = input.body;
        const { index } = call.get('settings');
        return sendElements(call, [
          await scanPackage(index, segments, await findPolicy(index, name), stated),
        ]);
      },
    );

    api.add(
      createRoute({
        method: 'post',
        path: `${path}/attestations`,
        summary:
          'Not offered: the host holds no signing key. The run that publishes signs the statements of an index.',
        ...scan,
        request: { params: z.object(params) },
        responses: { 501: problem('Nothing is signed here.'), ...problems },
      }),
      () => {
        throw new AskError(
          501,
          'Nothing is signed here: the host has no signing key. "release-index sign" signs the statements of an index.',
        );
      },
    );

    api.add(
      createRoute({
        method: 'get',
        path: `${path}/{digest}/attestations/{instance}/{id}`,
        summary:
          'A signed statement about a release, by a digest of its package, as DSSE envelope.',
        ...scan,
        request: {
          params: z.object({
            ...params,
            digest: text(
              200,
              'a digest such as sha512: and its hexadecimal digits',
              /^(?:sha1|gitCommit):[0-9A-Fa-f]{40}$|^sha256:[0-9A-Fa-f]{64}$|^sha384:[0-9A-Fa-f]{96}$|^sha512:[0-9A-Fa-f]{128}$/,
            ),
            instance: text(
              200,
              'site, or a storage in the form kind:name',
              /^[a-z][a-z0-9]*(?::[\w.-]+)?$/,
            ),
            id: text(300, 'the id of a statement'),
          }),
          query: query({}),
        },
        responses: {
          200: elements(Envelope, 'The envelope'),
          404: problem('There is no such package, statement or storage.'),
          ...problems,
        },
      }),
      async (call, input) => {
        const { digest, instance, id, ...segments } = input.params;
        if (instance !== 'site') {
          throw new AskError(404, `There is no storage ${instance} here, only site.`);
        }

        return sendElements(call, [
          await readStatement(call.get('settings').index, segments, digest, id),
        ]);
      },
    );
  }

  api.use('/policies/*', hashed);
  api.add(
    createRoute({
      method: 'get',
      path: '/policies/{kind}/{policy}',
      summary: 'A policy: condition, advice and query.',
      ...needs('read'),
      request: {
        params: z.object({
          kind: z.enum(['built-in', 'own'], { error: 'expected built-in or own' }),
          policy,
        }),
        query: query({}),
      },
      responses: {
        200: json(Policy, 'The policy'),
        404: problem('There is no such policy.'),
        ...problems,
      },
    }),
    async (call, input) => {
      const { kind, policy: name } = input.params;
      return sendJson(call, await findPolicy(call.get('settings').index, name, kind));
    },
  );
}

function sendElements(call: Call, items: readonly object[]): Response {
  const isInLines = /application\/x-ndjson/i.test(call.req.header('accept') ?? '');
  const text = isInLines
    ? items.map((item) => `${JSON.stringify(item)}\n`).join('')
    : `${JSON.stringify(items)}\n`;
  return call.body(text, 200, {
    'Content-Type': isInLines ? 'application/x-ndjson' : 'application/json',
    Vary: 'Accept',
    'Cache-Control': 'no-store',
  });
}
