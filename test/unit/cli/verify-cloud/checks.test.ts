import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Check, type Context, checks, removeChecks } from "../../../../cli/verify-cloud/checks";
import { nodeNames, waitForReplacement } from "../../../../cli/verify-cloud/nodes";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

interface Asked {
    readonly method: string;
    readonly path: string;
    readonly body?: { readonly kind: string; readonly metadata: { readonly name: string } };
}

describe("the checks of tradewind verify-cloud", () => {
    let asked: Asked[];
    let answers: Record<string, unknown>;
    const say = () => undefined;

    const api = {
        async call(path: string, { method = "GET", body }: { method?: string; body?: Asked["body"] } = {}) {
            asked.push({ method, path, ...(body && { body }) });
            if (method !== "GET") return {};
            const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? [];
            if (answer === undefined) throw new ApiError(404, path);
            return typeof answer === "function" ? answer() : answer;
        },
    } as unknown as ApiClient;
    const nodes = { controller: "c-controller-0", worker: "c-verify-0", workerBoot: "1" };
    const context: Context = { api, image: "node:22", nodes };
    const named = (name: string, desired = { volumes: true, loadBalancers: true }) =>
        checks(desired).find((each: Check) => each.name === name)!;
    const created = () => asked.flatMap(({ body }) => (body ? `${body.kind} ${body.metadata.name}` : []));

    beforeEach(() => {
        asked = [];
        const ready = { type: "Ready", status: "True" };
        answers = {
            "/pods/server": { status: { phase: "Running", podIP: "10.2.0.5", conditions: [ready] } },
            "/log": "hello\n",
        };
        for (const pod of ["to-pod", "to-service", "outside", "writer", "reader"]) {
            answers[`/pods/${pod}`] = { status: { phase: "Succeeded" } };
        }
    });

    it("are those that the cluster's cloud controllers permit", () => {
        const names = (volumes: boolean, loadBalancers: boolean) =>
            checks({ volumes, loadBalancers }).map(({ name }) => name);
        assert.deepEqual(names(false, false), ["API", "pod network", "DNS"]);
        assert.deepEqual(names(true, true).slice(3), ["volume", "LoadBalancer Service"]);
    });

    it("send 100 requests to the API, and fail if one does", async () => {
        let left = 100;
        answers["/readyz"] = () => (left-- > 0 ? "ok" : assert.fail("no more"));
        assert.match(await named("API").check(context, say), /^median \d+ ms, slowest \d+ ms, none failed$/);
        await assert.rejects(named("API").check(context, say), /no more/);
    });

    it("reach a pod on the controller from the worker, by address and by its Service's name", async () => {
        assert.equal(await named("pod network").check(context, say), "http://10.2.0.5:8080/ answered hello");
        assert.match(
            await named("DNS").check(context, say),
            /server\.tradewind-verify\.svc\.cluster\.local\/ answered/,
        );
        const all = ["Namespace tradewind-verify", "Service server", "Pod server"];
        assert.deepEqual(created(), [...all, "Pod to-pod", "Pod to-service", "Pod outside"]);
    });

    it("report what a failed pod said", async () => {
        answers["/pods/to-pod"] = { status: { phase: "Failed" } };
        answers["/log"] = "ETIMEDOUT";
        await assert.rejects(named("pod network").check(context, say), /^Error: pod to-pod failed: ETIMEDOUT$/);
    });

    it("pass without names outside, which a network may not offer", async () => {
        answers["/pods/outside"] = { status: { phase: "Failed" } };
        assert.match(await named("DNS").check(context, say), /; outside: not resolved \(pod outside failed/);
    });

    it("write a volume in one pod and read it in the next", async () => {
        assert.match(await named("volume").check(context, say), /created, attached and mounted twice$/);
        assert.deepEqual(created(), ["PersistentVolumeClaim data", "Pod writer", "Pod reader"]);
        assert.ok(asked.some(({ method, path }) => method === "DELETE" && path.endsWith("/pods/writer")));
    });

    describe("of Services of type LoadBalancer", () => {
        let server: Server;
        before((done) => {
            server = createServer((_, answer) => answer.end("hello")).listen(0, "127.0.0.1", done);
        });
        after(() => server.close());

        it("wait for an address, and for an answer there", async () => {
            const { port } = server.address() as AddressInfo;
            let looks = 0;
            answers["/services/public"] = () =>
                looks++ === 0 ? {} : { status: { loadBalancer: { ingress: [{ ip: `127.0.0.1:${port}` }] } } };
            assert.equal(await named("LoadBalancer Service").check(context, say), "answered hello");
        });
    });

    it("are removed with their volumes", async () => {
        let looks = 0;
        const volume = { metadata: { name: "pvc" }, spec: { claimRef: { namespace: "tradewind-verify" } } };
        answers["/persistentvolumes"] = () => ({ items: looks++ < 2 ? [volume] : [] });
        assert.equal(await removeChecks(context, say), "nothing of the checks is left");
        assert.equal(looks, 3);
        assert.deepEqual(asked[0], { method: "DELETE", path: "/api/v1/namespaces/tradewind-verify" });
    });

    it("see that the worker was replaced, by its machine and not by its name", async () => {
        const node = (name: string, machineID: string, labels = {}) => ({
            metadata: { name, labels },
            status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { machineID, kubeletVersion: "" } },
        });
        const controller = node("c-controller-0", "c", { "node-role.kubernetes.io/control-plane": "" });
        let looks = 0;
        answers["/nodes"] = () => ({ items: [controller, node("c-verify-0", looks++ < 2 ? "old" : "new")] });
        const before = await nodeNames(api);
        assert.equal(await waitForReplacement(api, before, say), "c-verify-0 was replaced by c-verify-0");
        assert.equal(looks, 3);
        answers["/nodes"] = { items: [controller] };
        await assert.rejects(nodeNames(api), /a controller and a Ready worker must exist \(got c-controller-0\)/);
    });
});
