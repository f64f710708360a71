/** Lower-case names; a header sent more than once is joined with ", " (RFC 9110, section 5.3). */
export type HttpHeaders = ReadonlyMap<string, string>;

/** A day of the week first, and at the end GMT or, in the form of `Sun Nov  6 08:49:37 1994`, the year. */
const httpDate = /^\w+, .+ GMT$|^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/;

/**
 * The instant of a date in a header, in milliseconds; NaN for another text. All three forms mean GMT, and one does not name it
 * (RFC 9110, section 5.6.7).
 */
export function parseHttpDate(text = ''): number {
  return httpDate.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
