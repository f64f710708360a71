import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { metadataPath } from '../access/guard.ts';
import { sendJson } from './answers.ts';
import { defineRoute } from './route.ts';

const text = z.string();

/** The route `POST /mcp`. The library of the Model Context Protocol reads and checks the body. */
export const callTool = defineRoute({
  method: 'post',
  path: '/mcp',
  operationId: 'call-tool',
  summary:
    'Answers a request of the Model Context Protocol (Streamable HTTP, stateless). The body is a JSON-RPC 2.0 message.',
  permission: 'mcp',
  returns: { 'application/json': z.looseObject({ jsonrpc: text }), 'text/event-stream': text },
  async answer({ call }) {
    // The body must be a single message. A list of messages would be many requests, but it would count as one. The protocol has no such
    // lists since its revision 2025-06-18.
    if (/^\s*\[/.test(await call.req.raw.clone().text())) {
      throw new AskError(400, 'body: expected one message; got a list');
    }

    return call.get('settings').answerMcp(call.req.raw);
  },
});

export const showMetadata = defineRoute({
  method: 'get',
  path: metadataPath,
  operationId: 'show-metadata',
  summary:
    'Lists the servers at which agents sign in (RFC 9728). The list is empty if only access keys are accepted.',
  returns: { 'application/json': z.looseObject({ resource: text }) },
  answer({ call }) {
    const { access, baseUrl } = call.get('settings');
    if (!access) {
      throw new AskError(404, 'This index is public: nothing needs a credential.');
    }

    const { issuers } = access.config.accessControl.externalOauth;
    return sendJson(call, {
      resource: `${baseUrl}/mcp`,
      authorization_servers: issuers.map(({ uri }) => uri),
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email'],
    });
  },
});
