/** Anything that looks like one of our secrets, or a password in a URL, anywhere in a line. */
const SECRETS =
  /fl_(live|dev)_[0-9A-Za-z]+|whsec_[0-9A-Za-z]+|AGE-SECRET-KEY-[0-9A-Z-]+|(portal|till|session|join|device|refund|trial)_[0-9A-Za-z]{43,}|(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g;

export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]');
}
