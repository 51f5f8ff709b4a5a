import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  goQuote,
  piecesOf,
  type Steps,
  utf8Length,
} from '@ashlar/core';

/** Maximum lengths of the parts of a name, in bytes. */
const LONGEST = { domain: 253, path: 571 };
/** Pieces that are checked between two pauses. */
const PIECES_PER_STEP = 64;

/** Errors of the name of a signer: a domain, and a path of subdomains (semantics/access#certificate-signing-requests). */
export function* signerNameErrorsSteps(at: string, name: string): Steps<readonly FieldError[]> {
  const slash = name.indexOf('/');
  if (slash < 0 || name.includes('/', slash + 1)) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [FieldErrors.invalid(at, name, why)];
  }
  const [domain, path] = [name.slice(0, slash), name.slice(slash + 1)];
  const isShort = !domain.includes('.');
  const why = 'should be a domain with at least two segments separated by dots';
  return [
    ...tooLongErrors(at, domain, LONGEST.domain),
    ...(yield* firstPieceErrorsSteps(at, domain, dns1123LabelErrors)),
    ...(isShort ? [FieldErrors.invalid(at, domain, why)] : []),
    ...(yield* firstPieceErrorsSteps(at, path, dns1123SubdomainErrors)),
    ...tooLongErrors(at, path, LONGEST.path),
  ];
}

const tooLongErrors = (at: string, text: string, longest: number): readonly FieldError[] =>
  utf8Length(text) > longest ? [FieldErrors.tooLong(at, longest)] : [];

/** Errors of the first wrong piece between dots. */
function* firstPieceErrorsSteps(
  at: string,
  text: string,
  errorsOf: (piece: string) => readonly string[],
): Steps<readonly FieldError[]> {
  let count = 0;
  for (const piece of piecesOf(text, '.')) {
    const errors = errorsOf(piece);
    if (errors.length > 0)
      return errors.map((why) => FieldErrors.invalid(at, text, `validating label ${goQuote(piece)}: ${why}`));
    if (++count % PIECES_PER_STEP === 0) yield;
  }
  return [];
}
