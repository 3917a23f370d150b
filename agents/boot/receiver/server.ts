import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import type { Bundle } from "../../../ignition";
import type { Findings } from "../preflight";
import { administrators, assetsPath, parseAssets, progressPath, type ReportedProgress, unfitStatus } from "./assets";

interface ReceiverTls {
    /** PEM of the Kubernetes CA. Only clients with a certificate of it may upload assets. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/** What such a server does for an administrator. */
export interface Receiving {
    readonly take: (assets: Bundle) => void;
    /** What the machine's preflight found. With errors, no assets are taken. @default - nothing */
    readonly findings?: () => Findings;
    /** @default - nothing was received yet, so there is no progress */
    readonly progress?: () => Promise<ReportedProgress>;
}

/**
 * A server that accepts assets from an administrator and reports their progress.
 *
 * To a load balancer it looks like a ready apiserver, whose place it holds.
 */
export function assetServer(tls: ReceiverTls, receiving: Receiving): Server {
    return createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
        answer(request, receiving).then(
            ([status, message]) => end(response, status, message),
            (error: Error) => end(response, 400, error.message),
        );
    });
}

async function answer(request: IncomingMessage, { take, findings, progress }: Receiving): Promise<[number, string]> {
    const asked = `${request.method} ${request.url}`;
    if (asked === "GET /readyz") {
        return [200, progress ? "waiting for the API" : "waiting for the assets of the bootstrap"];
    }
    const isProgressQuery = asked === `GET ${progressPath}` && progress !== undefined;
    if (asked !== `POST ${assetsPath}` && !isProgressQuery) {
        return [404, "no API is running here yet"];
    }
    const socket = request.socket as TLSSocket;
    if (!socket.authorized || ![socket.getPeerCertificate().subject?.O].flat().includes(administrators)) {
        return [403, `a certificate of ${administrators} is required`];
    }
    if (isProgressQuery) return [200, JSON.stringify(await progress())];
    const { errors, warnings } = findings?.() ?? { errors: [], warnings: [] };
    if (errors.length > 0) return [unfitStatus, JSON.stringify({ message: errors.join("\n") })];
    take(parseAssets(await text(request)));
    return [200, ["taken", ...warnings.map((each) => `warning ${each}`)].join("\n")];
}

function end(response: ServerResponse, status: number, message: string): void {
    // No connection may outlive the server, since the apiserver takes its port.
    response.writeHead(status, { connection: "close", "content-type": "text/plain" });
    response.end(`${message}\n`);
}

const graceMilliseconds = 1_000;

export function listen(server: Server, port: number, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, address, resolve);
    });
}

/** Finishes the answer in progress. The port is free at once. */
export function closeServer(server: Server): Promise<void> {
    setTimeout(() => server.closeAllConnections(), graceMilliseconds).unref();
    return new Promise((resolve) => server.close(() => resolve()));
}
