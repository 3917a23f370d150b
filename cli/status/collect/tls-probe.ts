import { type IncomingMessage, request } from "node:http";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { type Fact, known, type Serving, unknown } from "../facts";

/** Timeout of a probe in milliseconds. */
export const TLS_PROBE_MS = 2_000;

export interface TlsProbe {
    readonly serving: Fact<Serving>;
    /** When the presented certificate expires: RFC 3339. */
    readonly notAfter: Fact<string>;
    /** The server's clock, to the second, if it sent a date: milliseconds since 1970. */
    readonly clock?: number;
}

export interface TlsProbeOptions {
    readonly host: string;
    readonly port: number;
    /** PEM of the CA that must have signed the certificate. @default - any certificate is accepted */
    readonly ca?: string;
    readonly servername?: string;
    /** Path to request once connected. @default - none */
    readonly path?: string;
    /** @default TLS_PROBE_MS */
    readonly timeoutMilliseconds?: number;
}

/** Reads a TLS server's certificate and health over a separate connection, without credentials. */
export function probeTls(options: TlsProbeOptions): Promise<TlsProbe> {
    const { host, port, ca, servername = isIP(host) ? "" : host, timeoutMilliseconds = TLS_PROBE_MS } = options;
    // The certificate is verified below: an untrusted one is also worth reporting.
    const socket = connect({ host, port, ca, servername, rejectUnauthorized: false });
    let notAfter: Fact<string> = unknown("no connection");
    let isAccepted = false;
    return new Promise<TlsProbe>((resolve) => {
        const timer = setTimeout(() => {
            const silent = `no answer within ${timeoutMilliseconds / 1000} s`;
            // A host that accepts the connection but sends nothing hangs; one that does not accept it may be behind a firewall.
            end(isAccepted ? known({ isReady: false, detail: silent }) : unknown(silent));
        }, timeoutMilliseconds);
        const end = (serving: Fact<Serving>, clock?: number) => {
            clearTimeout(timer);
            socket.destroy();
            resolve({ serving, notAfter: "value" in notAfter ? notAfter : unknown(detailOf(serving)), clock });
        };
        socket.on("connect", () => {
            isAccepted = true;
        });
        socket.on("error", (error: NodeJS.ErrnoException) => end(failed(error)));
        socket.on("close", () => end(failed({ code: "ECONNRESET" })));
        socket.on("secureConnect", () => {
            notAfter = known(new Date(socket.getPeerCertificate().valid_to).toISOString());
            const distrust = ca === undefined ? undefined : distrustOf(socket);
            if (distrust !== undefined) {
                end(known({ isReady: false, detail: `its certificate is not trusted: ${distrust}` }));
            } else if (options.path === undefined) {
                end(known({ isReady: true, detail: "answers" }));
            } else {
                ask(socket, host, options.path).then(
                    ({ serving, clock }) => end(known(serving), clock),
                    (error) => end(failed(error)),
                );
            }
        });
    });
}

function distrustOf(socket: TLSSocket): string | undefined {
    return socket.authorized ? undefined : String(socket.authorizationError).replace(/^Error: /, "");
}

function ask(socket: TLSSocket, host: string, path: string): Promise<{ serving: Serving; clock?: number }> {
    return new Promise((resolve, reject) => {
        const sent = request({ createConnection: () => socket, host, path }, (answer) => {
            const clock = Date.parse(answer.headers.date ?? "") || undefined;
            readText(answer).then(
                (text) => resolve({ serving: servingOf(answer.statusCode ?? 0, text), clock }),
                reject,
            );
        });
        sent.on("error", reject);
        sent.end();
    });
}

async function readText(answer: IncomingMessage): Promise<string> {
    let text = "";
    for await (const chunk of answer.setEncoding("utf8")) {
        text += chunk;
    }
    return text;
}

/** Kubernetes' health endpoints list their checks; failed ones begin with `[-]`. */
export function servingOf(status: number, text: string): Serving {
    const bad = text.split("\n").flatMap((line) => /^\[-\](\S+)/.exec(line)?.[1] ?? []);
    if (status === 200) {
        return { isReady: true, detail: "ready" };
    }
    return { isReady: false, detail: bad.length > 0 ? `not ready: ${bad.join(", ")}` : `answers ${status}` };
}

/** Meaning of a failed connection: a host that refuses is up; one that cannot be reached may be healthy. */
export function failed({ code, message }: { code?: string; message?: string }): Fact<Serving> {
    switch (code) {
        case "ECONNREFUSED":
            return known({ isReady: false, detail: "refuses connections" });
        case "ECONNRESET":
        case "EPIPE":
            return known({ isReady: false, detail: "closes connections" });
        case "EHOSTUNREACH":
        case "ENETUNREACH":
        case "ETIMEDOUT":
            return unknown("cannot be reached from here");
        case "ENOTFOUND":
        case "EAI_AGAIN":
            return unknown("its name cannot be resolved here");
        default:
            return unknown(message ?? code ?? "no connection");
    }
}

function detailOf(serving: Fact<Serving>): string {
    return "value" in serving ? serving.value.detail : serving.unknown;
}
