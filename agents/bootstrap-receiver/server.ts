import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import type { Bundle } from "../../ignition";
import { administrators, assetsPath, parseAssets } from "./assets";

export interface ReceiverTls {
    /** PEM of the Kubernetes CA: whose certificate is not of it brings nothing. */
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/**
 * A server that takes assets from an administrator.
 *
 * To a load balancer it looks like an apiserver that is ready: it is one's place that it keeps.
 */
export function assetServer(tls: ReceiverTls, take: (assets: Bundle) => void): Server {
    return createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
        answer(request, take).then(
            ([status, message]) => end(response, status, message),
            (error: Error) => end(response, 400, error.message),
        );
    });
}

async function answer(request: IncomingMessage, take: (assets: Bundle) => void): Promise<[number, string]> {
    if (request.method === "GET" && request.url === "/readyz") {
        return [200, "waiting for the assets of the bootstrap"];
    }
    if (request.method !== "POST" || request.url !== assetsPath) {
        return [404, "here is no API yet"];
    }
    const socket = request.socket as TLSSocket;
    if (!socket.authorized || ![socket.getPeerCertificate().subject?.O].flat().includes(administrators)) {
        return [403, `a certificate of ${administrators} is needed`];
    }
    take(parseAssets(await text(request)));
    return [200, "taken"];
}

function end(response: ServerResponse, status: number, message: string): void {
    // No connection outlives the server, whose port the apiserver takes.
    response.writeHead(status, { connection: "close", "content-type": "text/plain" });
    response.end(`${message}\n`);
}
