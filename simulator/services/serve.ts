import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { handle } from "./handle";
import type { CloudServices } from "./service";

/** Serves a cloud's answers by a socket, for the networks' mirrors. */
export async function serve<Account>(
    cloud: CloudServices<Account>,
    account: Account,
    { socket, secret, log }: { socket: string; secret: string; log: (line: string) => void },
): Promise<Server> {
    const server = createServer(async (request, response) => {
        const { method = "GET", url = "/", headers } = request;
        try {
            const body = await buffer(request);
            const answer = await handle(cloud, account, secret, { method, url, headers, body });
            log(`${method} ${headers.host ?? ""}${url} ${answer.status}`);
            response.writeHead(answer.status, answer.headers);
            response.end(answer.body);
        } catch (error) {
            log(`${method} ${headers.host ?? ""}${url} failed: ${(error as Error).stack}`);
            response.writeHead(500).end("the simulator failed: see its log\n");
        }
    });
    // What one before left, which was killed.
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(socket, resolve);
    });
    return server;
}
