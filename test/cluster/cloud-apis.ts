import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Account } from "../../simulator/clouds/aws/account";
import { services } from "../../simulator/clouds/aws/services";

/**
 * Makes an account's APIs reachable from the host, not only from its networks; returns the value of AWS_ENDPOINT_URL.
 */
export async function serveAwsApis(account: Account): Promise<{ readonly url: string; readonly server: Server }> {
    const server = createServer(async (request, response) => {
        try {
            const asked = await askedBy(request);
            const service = /\/([a-z0-9]+)\/aws4_request/.exec(asked.headers.authorization ?? "")?.[1];
            const api = services.apis.find(({ hosts }) => hosts.test(`${service}.eu-central-1.amazonaws.com`));
            const caller = services.callerOf(account, asked, "no instance: the caller is an owner");
            const answer = await api?.answer(account, asked, { network: "", address: "", caller });
            response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body);
        } catch (error) {
            response.writeHead(500).end((error as Error).stack);
        }
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function askedBy(request: IncomingMessage) {
    const { method = "GET", url = "/" } = request;
    const [path = "/", ...query] = url.split("?");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    return { method, host: "", path, query: query.join("?"), headers, body: await buffer(request) };
}
