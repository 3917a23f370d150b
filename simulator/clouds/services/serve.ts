import { rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { ASKED_BY } from "../../../machines";
import type { Answer, Asked, CloudServices } from "./service";

/** Serves a cloud's APIs on a socket, for the networks' mirrors. */
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
    // Left by a previous process that was killed.
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
        server.once("error", reject).listen(socket, resolve);
    });
    return server;
}

const nothingThere: Answer = { status: 404, body: "nothing of this name is simulated\n" };

/** A request as it arrived from the network's mirror. */
interface Incoming {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
}

/** Answers a machine's request to a cloud. */
export async function handle<Account>(
    cloud: CloudServices<Account>,
    account: Account,
    secret: string,
    incoming: Incoming,
): Promise<Answer> {
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const { [ASKED_BY.network]: network, [ASKED_BY.address]: address, [ASKED_BY.way]: way, ...own } = headers;
    if (!network || !address) return { status: 400, body: "only a network's mirror may send requests" };
    const asked = { ...requestOf(incoming), headers: own };
    if (way === "metadata") return cloud.metadata(account, asked, { network, address }, secret);
    const api = cloud.apis.find(({ hosts }) => hosts.test(asked.host));
    if (!api) return nothingThere;
    return api.answer(account, asked, { network, address, caller: cloud.callerOf(account, asked, secret) });
}

function requestOf({ method, url, headers, body }: Incoming): Omit<Asked, "headers"> {
    const host = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const [path = "/", ...query] = url.split("?");
    return { method, host, path, query: query.join("?"), body };
}
