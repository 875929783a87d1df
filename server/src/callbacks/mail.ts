// Sends mails to merchants' users over SMTP. The configuration sets the server, never a merchant.
import { createTransport, type Transporter } from 'nodemailer';

export type MailSettings = {
  /** smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
  readonly smtpUrl: string;
  readonly from: string;
};

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** A server that does not answer must not delay other notices. */
const TIMEOUT_MS = 10_000;

export class Mailer {
  readonly #transport: Transporter;
  readonly #from: string;

  constructor({ smtpUrl, from }: MailSettings) {
    this.#from = from;
    const url = new URL(smtpUrl);
    const isSecure = url.protocol === 'smtps:';
    this.#transport = createTransport({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port) || (isSecure ? 465 : 587),
      secure: isSecure,
      // Passwords are sent only over TLS, except to this machine itself.
      requireTLS: url.username !== '' && !isOwnMachine(url.hostname),
      ...(url.username === ''
        ? {}
        : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Texts are ours; nothing is fetched for a mail.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: Mail): Promise<void> {
    await this.#transport.sendMail({ ...mail, from: this.#from });
  }

  close(): void {
    this.#transport.close();
  }
}

function isOwnMachine(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

/** Null if they are invalid. */
export function parseMailSettings(settings: MailSettings): MailSettings | null {
  const url = URL.canParse(settings.smtpUrl) ? new URL(settings.smtpUrl) : null;
  const isUsable = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  return isUsable && isMailAddress(settings.from) ? settings : null;
}

/** One address and nothing else: more would end up in the headers of a mail. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,190}$/.test(text);
}
