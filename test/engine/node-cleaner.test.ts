import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sign } from "aws4";
import { NodeCleaner } from "../../agents/nodes/cleaner/cleaner";
import { askInstances } from "../../clients/aws/ec2-instances";
import { instanceRole } from "../../clients/aws/instance-metadata";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { nodeCleaner, nodeCleanerPlan } from "../../cluster/manifests/nodes/node-cleaner";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, clientOf, permissionsOf } from "./service-account";

const region = "eu-central-1";
const groups = { namePattern: "^i-[0-9a-f]{17}$", region };
const instance = (index: number) => `i-${String(index).padStart(17, "0")}`;
const role = { accessKeyId: "ASIATEST", secretAccessKey: "a/secret+key", sessionToken: "Session/Token+==" };
const roles = "/latest/meta-data/iam/security-credentials/";

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe("node-cleaner with a real kube-apiserver, a metadata service and an EC2", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let agent: ApiClient;
    let metadata: Server;
    let ec2: Server;
    /** EC2's instances, in pages, by ids. */
    let pages: Record<string, string>[];
    let isAllowed: boolean;
    let now: number;
    let cleaner: NodeCleaner;
    let said: string[];

    /** IMDSv2: nothing without a token. */
    const describes = ({ method, url, headers }: IncomingMessage): string | undefined => {
        if (url === "/latest/api/token" && method === "PUT" && headers["x-aws-ec2-metadata-token-ttl-seconds"]) {
            return "token-1";
        }
        if (headers["x-aws-ec2-metadata-token"] !== "token-1") return undefined;
        if (url === roles) return "c-controller-1a2b3c4";
        if (url !== `${roles}c-controller-1a2b3c4`) return undefined;
        const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token } = role;
        return JSON.stringify({ Code: "Success", AccessKeyId, SecretAccessKey, Token });
    };
    const answers = async (request: IncomingMessage): Promise<[status: number, xml: string]> => {
        const body = await text(request);
        if (!isSignedBy(request, body) || !isAllowed) {
            const message = "You are not authorized to perform this operation.";
            const error = `<Error><Code>UnauthorizedOperation</Code><Message>${message}</Message></Error>`;
            return [403, `<Response><Errors>${error}</Errors><RequestID>r</RequestID></Response>`];
        }
        const asked = new URLSearchParams(body);
        const page = Number(asked.get("NextToken") ?? 0);
        const ids = [...asked].filter(([name]) => name.startsWith("Filter.1.Value.")).map(([, id]) => id);
        const items = Object.entries(pages[page]!)
            .filter(([id]) => ids.includes(id))
            .map(([id, state]) => `<item><instanceId>${id}</instanceId>${stateOf(state)}</item>`);
        const set = items.length ? `<item><instancesSet>${items.join("")}</instancesSet></item>` : "";
        const next = page + 1 < pages.length ? `<nextToken>${page + 1}</nextToken>` : "";
        const list = `<reservationSet>${set}</reservationSet>${next}`;
        return [
            200,
            `<DescribeInstancesResponse xmlns="x"><requestId>r</requestId>${list}</DescribeInstancesResponse>`,
        ];
    };
    const nodes = async () => {
        const { items } = await agent.call<{ items: KubernetesObject[] }>("/api/v1/nodes");
        return items.map((each) => String(at(each, "metadata", "name"))).sort();
    };
    const observe = async (seconds: number) => {
        now += seconds;
        await cleaner.reconcile();
    };

    before(async () => {
        api = await ApiServer.start();
        metadata = createServer((request, response) => {
            const said = describes(request);
            response.writeHead(said === undefined ? 401 : 200).end(said);
        });
        ec2 = createServer(async (request, response) => {
            const [status, xml] = await answers(request);
            response.writeHead(status, { "content-type": "text/xml" }).end(xml);
        });
        for (const server of [metadata, ec2]) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
        await applyAll(api, [
            ...placementPolicy(fixedCluster()),
            ...permissionsOf(nodeCleaner(fixedCluster(), groups, "text")),
        ]);
        agent = await clientOf(api, "node-cleaner");
    });
    after(async () => {
        agent?.reconnect();
        for (const server of [metadata, ec2]) server?.close();
        await api?.stop();
    });

    beforeEach(async () => {
        [pages, isAllowed, now, said] = [[{}], true, 0, []];
        const all = [...[1, 2, 3, 4].map(instance), "c-controller-0"];
        const there = await nodes();
        for (const name of all) {
            const created = { apiVersion: "v1", kind: "Node", metadata: { name } };
            if (!there.includes(name)) await api.cluster.create(created, { fieldManager: "kubelet" });
        }
        await ready(instance(1), "True");
        const plan = nodeCleanerPlan(groups);
        const at = { ec2: urlOf(ec2), region };
        const statesOf = async (ids: readonly string[]) => {
            const reported = await askInstances(ids, at, await instanceRole(urlOf(metadata)));
            return new Map(reported.map(({ id, state }) => [id, state]));
        };
        cleaner = new NodeCleaner({ api: agent, plan, statesOf, log: (line) => said.push(line), clock: () => now });
    });
    /** Reports like a kubelet, or like the controller that monitors it. */
    const ready = (name: string, status: string) => {
        const conditions = [
            { type: "Ready", status, reason: "x", message: "", lastTransitionTime: "2030-01-01T00:00:00Z" },
        ];
        const path = `/api/v1/nodes/${name}/status`;
        const contentType = "application/merge-patch+json";
        return api.http.send({ method: "PATCH", path, contentType, body: { status: { conditions } } });
    };

    it("deletes nodes of terminated instances, with the permissions that the stack grants it, and reports that", async () => {
        // Also from later pages.
        pages = [
            { [instance(1)]: "running", [instance(2)]: "terminated" },
            { [instance(3)]: "stopped", [instance(4)]: "terminated" },
        ];
        await observe(0);
        await observe(30);
        assert.deepEqual(await nodes(), ["c-controller-0", instance(1), instance(3)]);
        const { items } = (await api.http.send({ method: "GET", path: "/api/v1/namespaces/default/events" })) as {
            items: { reason: string; involvedObject: { name: string } }[];
        };
        const reported = items.filter(({ reason }) => reason === "DeletedNode").map((each) => each.involvedObject.name);
        assert.deepEqual(reported.sort(), [instance(2), instance(4)]);
    });

    it("waits if EC2 does not know an instance", async () => {
        pages = [{ [instance(1)]: "running", [instance(3)]: "running", [instance(4)]: "shutting-down" }];
        await observe(0);
        await observe(299);
        assert.equal((await nodes()).length, 5);
        await observe(1);
        assert.deepEqual(await nodes(), ["c-controller-0", instance(1), instance(3), instance(4)]);
    });

    it("deletes a Ready node that is no instance: root on a machine can report any name as Ready", async () => {
        pages = [Object.fromEntries([2, 3, 4].map((index) => [instance(index), "running"]))];
        await observe(0);
        await observe(290);
        assert.ok((await nodes()).includes(instance(1)));
        await observe(10);
        assert.deepEqual(await nodes(), ["c-controller-0", instance(2), instance(3), instance(4)]);
    });

    it("deletes nothing if it may not query EC2, and reports that on the node", async () => {
        [pages, isAllowed] = [[{ [instance(2)]: "terminated" }], false];
        await observe(0);
        await observe(600);
        assert.equal((await nodes()).length, 5);
        assert.deepEqual(said, [
            "cannot query EC2 for the state of instances: ec2 refuses DescribeInstances: UnauthorizedOperation: You are not authorized to perform this operation.",
        ]);
        isAllowed = true;
        await observe(60);
        assert.ok(!(await nodes()).includes(instance(2)));
    });
});

/** Whether its signature matches an independent computation for the same request with the role's credentials. */
function isSignedBy({ headers, url }: IncomingMessage, body: string): boolean {
    const { host, "content-type": type, "x-amz-date": date, "content-length": length } = headers;
    const signed = { Host: host, "Content-Type": type, "X-Amz-Date": date as string, "Content-Length": length };
    const request = { service: "ec2", region, method: "POST", path: url, headers: signed, body };
    const isHis = headers["x-amz-security-token"] === role.sessionToken;
    return isHis && sign(request, role).headers!.Authorization === headers.authorization;
}

function stateOf(state: string): string {
    return `<instanceState><code>0</code><name>${state}</name></instanceState>`;
}
