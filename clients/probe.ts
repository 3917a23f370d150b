import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";

const probeMilliseconds = 2_000;

/**
 * Probes a process over a new connection. Undefined if it answers 200, otherwise what it did.
 *
 * Like the kubelet's probes, it uses no credentials and does not verify the certificate, whose names do not include a
 * generation's loopback address.
 */
export function probe(url: string): Promise<string | undefined> {
    const request = url.startsWith("https:") ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
        const options = {
            agent: false as const,
            rejectUnauthorized: false,
            signal: AbortSignal.timeout(probeMilliseconds),
        };
        const sent = request(url, options, (answer) => {
            let text = "";
            answer.setEncoding("utf8");
            answer.on("data", (chunk: string) => {
                text += chunk;
            });
            answer.on("error", (error) => resolve(`${url}: ${error.message}`));
            answer.on("end", () =>
                resolve(answer.statusCode === 200 ? undefined : `${url} answers ${failure(answer.statusCode, text)}`),
            );
        });
        sent.on("error", (error: NodeJS.ErrnoException) => resolve(`${url} ${refusal(error)}`));
        sent.end();
    });
}

/** Whether nothing listens there. A hanging process still listens. */
export function isRefused(address: string, port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const socket = connect({ host: address, port, timeout: probeMilliseconds });
        const end = (refused: boolean) => {
            socket.destroy();
            resolve(refused);
        };
        socket.on("connect", () => end(false));
        socket.on("timeout", () => end(false));
        socket.on("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED"));
    });
}

/** Kubernetes' health endpoints list their checks; failed ones begin with `[-]`. */
function failure(status: number | undefined, text: string): string {
    const checks = text.split("\n").filter((line) => line.startsWith("[-]"));
    return checks.length === 0 ? String(status) : `${status}: ${checks.join(", ")}`;
}

function refusal({ code, name, message }: NodeJS.ErrnoException): string {
    if (code === "ECONNREFUSED") {
        return "refuses connections";
    }
    return name === "TimeoutError" || name === "AbortError" ? "does not answer" : `fails: ${message}`;
}
