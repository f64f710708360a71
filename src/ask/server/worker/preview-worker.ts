import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { readAccess } from './access-of.ts';
import authWorker from './auth-worker.ts';
import { serve, type Env } from './worker.ts';

/** The Worker of a preview. A preview may show a draft, so it rejects other host names and pages of other origins. */
function answerLocally(request: Request, env: Env): Promise<Response> | Response {
  const wrong =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  return wrong ?? (readAccess() ? authWorker.fetch(request, env) : serve(request, env));
}

export default { fetch: answerLocally };
