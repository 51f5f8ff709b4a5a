/** ISBN of ten digits; spaces and dashes are ignored. */
export function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

/** ISBN of thirteen digits. */
export function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Card numbers of the known issuers with a valid check digit; other characters are ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
