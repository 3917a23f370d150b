import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { macAddress } from "../../../machines/names";
import * as paper from "../../../simulator/clouds/dry-run/machines";
import type { Answer } from "../../../simulator/clouds/services/service";

// Its own process, in which load balancers and packet filters are replaced by dry-run stubs.
const machines = require.resolve("../../../machines");
require.cache[machines] = {
    id: machines,
    filename: machines,
    loaded: true,
    exports: { ...paper, macAddress },
} as never;

/**
 * `services-on-paper.ts ACCOUNT-FILE NETWORK ADDRESS CLOUD`: responds as to a machine with this address, and prints its
 * port.
 */
const [path = "", network = "", address = "", cloud = ""] = process.argv.slice(2);
const { services } = require(`../../../simulator/clouds/${cloud}/services`) as {
    // Both clouds' services take their own account alone.
    services: typeof import("../../../simulator/clouds/aws/services").services;
};
const account = services.account(path);
const secret = randomBytes(16).toString("hex");

async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = "GET", url = "/" } = request;
    const [path = "/", ...query] = url.split("?");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = { method, host: "", path, query: query.join("?"), headers, body: await buffer(request) };
    const who = { network, address, caller: services.callerOf(account, asked, secret) };
    if (cloud === "digitalocean") {
        return services.apis.find(({ hosts }) => hosts.test("api.digitalocean.com"))!.answer(account, asked, who);
    }
    const service = /\/(autoscaling|ec2|ecr|elasticloadbalancing)\/aws4_request/.exec(headers.authorization ?? "")?.[1];
    if (!service) return services.metadata(account, asked, { network, address }, secret);
    const api = services.apis.find(({ hosts }) =>
        hosts.test(`${service === "ecr" ? "api.ecr" : service}.eu-central-1.amazonaws.com`),
    )!;
    return api.answer(account, asked, who);
}

const server = createServer(async (request, response) => {
    try {
        const { status, headers, body } = await answer(request);
        response.writeHead(status, headers).end(body);
    } catch (error) {
        console.error(error);
        response.writeHead(500).end();
    }
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on("end", () => process.exit(0));
