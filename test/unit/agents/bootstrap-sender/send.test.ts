import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { assetServer, type Receiving } from "../../../../agents/boot/receiver/server";
import type { Delivery } from "../../../../agents/bootstrap-sender/delivery";
import { send } from "../../../../agents/bootstrap-sender/send";
import { freePort } from "../../../free-port";
import { Authority } from "../boot/receiver/authority";

const receiver = "bootstrap.c.example";
const assets = { entries: [{ path: "/opt/started", contents: "eWVz" }], units: ["bootstrap.service"] };

describe("the bootstrap sender", function () {
    this.timeout(20_000);
    let authority: Authority;
    let delivery: Delivery;
    let server: Server | undefined;
    let lines: string[];
    const print = (line: string) => lines.push(line);

    before(() => {
        authority = new Authority();
    });
    after(() => authority.remove());
    beforeEach(async () => {
        lines = [];
        const url = `https://localhost:${await freePort()}`;
        delivery = {
            server: url,
            node: "c-controller-0",
            receiver,
            ca: authority.ca,
            ...authority.client("system:masters"),
            assets,
            timeoutSeconds: 10,
        };
    });
    afterEach(() => server?.close());

    const listen = (next: Server) => {
        server = next;
        const { port } = new URL(delivery.server);
        return new Promise<void>((resolve) => server!.listen(Number(port), "localhost", () => resolve()));
    };
    const waiting = (
        take: (taken: unknown) => void,
        progress?: Receiving["progress"],
        findings?: Receiving["findings"],
    ) => assetServer({ ca: authority.ca, ...authority.server(receiver) }, { take, progress, findings });
    /** An API with the given answers by path, and 404 for all others. */
    const api = (answers: Record<string, () => unknown>) =>
        createServer(authority.server("localhost"), (request, response) => {
            const found = Object.entries(answers).find(([path]) => request.url?.endsWith(path));
            response.writeHead(found ? 200 : 404, { connection: "close" }).end(JSON.stringify(found?.[1]() ?? {}));
        });
    const record = { data: { pivotedAt: "2030-01-01T00:00:00Z", durations: '{"wait-for-api":7.9,"find-state":0.01}' } };

    it("sends the assets to the receiver, and waits until the API that replaces it reports the pivot", async () => {
        const taken: unknown[] = [];
        await listen(
            waiting((each) => {
                taken.push(each);
                server!.close(async () => {
                    let observations = 0;
                    const status = { numberReady: 0, desiredNumberScheduled: 1 };
                    const items = [{ metadata: { name: "kube-apiserver" }, status }];
                    const next = api({ "/daemonsets": () => ({ items }), "/tradewind-bootstrap": () => record });
                    // It pivots after a while.
                    const [handle] = next.listeners("request") as ((...args: unknown[]) => void)[];
                    next.removeAllListeners("request").on("request", (request, response) => {
                        const isEarly = request.url!.endsWith("/tradewind-bootstrap") && ++observations < 3;
                        if (isEarly) response.writeHead(404, { connection: "close" }).end("{}");
                        else handle!(request, response);
                    });
                    await listen(next);
                });
            }),
        );
        await send(delivery, print);
        assert.deepEqual(taken, [assets]);
        assert.equal(lines[0], "the first controller has the assets that start the cluster");
        assert.ok(lines.includes("ready: kube-apiserver 0/1"), lines.join("\n"));
        assert.equal(lines.at(-1), "pivoted at 2030-01-01T00:00:00Z: wait-for-api 7.9s");
    });

    it("sends nothing to a cluster that has pivoted, as when it is rerun", async () => {
        await listen(api({ "/tradewind-bootstrap": () => record }));
        await send(delivery, print);
        assert.equal(lines.length, 1);
    });

    it("verifies the API's name when it connects to a controller by address", async () => {
        await listen(api({ "/tradewind-bootstrap": () => record }));
        const byAddress = { ...delivery, server: delivery.server.replace("localhost", "127.0.0.1"), timeoutSeconds: 1 };
        await assert.rejects(() => send(byAddress, print), /no API \(.*altnames.*\)/);
        await send({ ...byAddress, apiName: "localhost" }, print);
        assert.equal(lines.length, 1);
    });

    it("sends no keys to a server without the receiver's certificate", async () => {
        const stranger = new Authority();
        let isTaken = false;
        const take = () => {
            isTaken = true;
        };
        const impostor = assetServer({ ca: authority.ca, ...stranger.server(receiver) }, { take });
        stranger.remove();
        await listen(impostor);
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 1 }, print),
            /waited 1 s for the control plane .* no receiver/,
        );
        assert.equal(isTaken, false);
    });

    it("reports on timeout what it waited for", async () => {
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 1 }, print),
            /waited 1 s for the control plane to run in the cluster; last seen: no API \(.*ECONNREFUSED.*\), no receiver [\s\S]*\nc-controller-0 never answered: its machine did not boot, Ignition or cloud-init failed, or containerd did not run or could not pull images: .* -u bootstrap-receiver.*; see its console/,
        );
    });

    it("says where to look if the API did not start", async () => {
        await listen(waiting(() => undefined));
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 1 }, print),
            /\nc-controller-0 has the assets that start the cluster, but its API did not start: .* -u kubelet/,
        );
    });

    it("queries the reporter for the progress, and shows it if the API did not start", async () => {
        let taken = 0;
        const reported = {
            stage: "step wait-for-api is not done: refused",
            lastLines: "--- kubelet.service: active\nBearer 0123456789abcdef\n",
        };
        await listen(
            waiting(
                () => taken++,
                async () => reported,
            ),
        );
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 2 }, print),
            /last seen: (c-controller-0: step wait-for-api is not done: refused)\n\1\n--- kubelet\.service: active\nBearer \[token\]$/,
        );
        assert.equal(taken, 1);
        assert.deepEqual(lines, [
            "the first controller has the assets that start the cluster",
            "c-controller-0: step wait-for-api is not done: refused",
        ]);
    });

    it("shows the last lines once while it still waits, if that takes long", async () => {
        const reported = {
            stage: "step wait-for-api is not done: refused",
            lastLines: "--- kubelet.service: active\n",
        };
        await listen(
            waiting(
                () => undefined,
                async () => reported,
            ),
        );
        await assert.rejects(() => send({ ...delivery, timeoutSeconds: 3 }, print, 1_000));
        const shown = lines.filter((line) => line.endsWith("\n--- kubelet.service: active"));
        assert.equal(shown.length, 1, lines.join("\n"));
    });

    it("fails soon, with all errors, if the machine's preflight keeps finding some", async () => {
        let taken = 0;
        const errors = ["Swap: swap must be off", "Mem: memory must be 900 MiB or more (got 488)"];
        await listen(
            waiting(
                () => taken++,
                undefined,
                () => ({ errors, warnings: [] }),
            ),
        );
        const start = performance.now();
        await assert.rejects(
            () => send(delivery, print, 10_000, 700),
            /^UnfitMachine: the preflight of c-controller-0 found 2 errors:\n {2}Swap: swap must be off\n {2}Mem: memory .*\nfix them on the machine, .*preflight-ignored there$/,
        );
        assert.ok(performance.now() - start < 8_000);
        assert.equal(taken, 0);
        assert.deepEqual(lines, [`c-controller-0 cannot start the cluster: ${errors.join("; ")}`]);
    });

    it("goes on once they are fixed, and shows warnings", async () => {
        let tries = 0;
        const findings = () => ({ errors: tries++ === 0 ? ["Swap: on"] : [], warnings: ["Reachable: no answer"] });
        await listen(waiting(() => undefined, undefined, findings));
        await assert.rejects(() => send({ ...delivery, timeoutSeconds: 2 }, print), /its API did not start/);
        assert.deepEqual(lines.slice(0, 3), [
            "c-controller-0 cannot start the cluster: Swap: on",
            "c-controller-0: warning: Reachable: no answer",
            "the first controller has the assets that start the cluster",
        ]);
    });

    it("sends them again to another machine that has none", async () => {
        let taken = 0;
        await listen(waiting(() => taken++));
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 2 }, print),
            /has the assets that start the cluster/,
        );
        assert.ok(taken > 1);
    });

    it("reports the step and why pods keep the control plane from running, in their own words", async () => {
        const state = { terminated: { exitCode: 2, reason: "Error" } };
        const status = { containerStatuses: [{ name: "kube-apiserver", ready: false, restartCount: 3, state }] };
        const pods = { items: [{ metadata: { name: "kube-apiserver-x" }, status }] };
        const event = (message: string, lastTimestamp: string, component = "tradewind-bootstrap") => ({
            message,
            lastTimestamp,
            source: { component },
        });
        const items = [
            event("wait-for-self-hosted is not done: waiting", "2030-01-01T00:00:02Z"),
            event("label-node is not done: no Node", "2030-01-01T00:00:01Z"),
            event("Starting kubelet.", "2030-01-01T00:00:03Z", "kubelet"),
        ];
        await listen(
            api({
                "/daemonsets": () => ({ items: [] }),
                "/pods": () => pods,
                "/events?fieldSelector=involvedObject.name%3Dc-controller-0": () => ({ items }),
                "/kube-apiserver-x/log?container=kube-apiserver&tailLines=4": () => "bad flag",
            }),
        );
        await assert.rejects(
            () => send({ ...delivery, timeoutSeconds: 1 }, print),
            /\nthe API of c-controller-0 served; step wait-for-self-hosted is not done: waiting; not Ready: kube-apiserver-x: .*exit code 2 after 3 restarts\n--- container kube-apiserver of kube-apiserver-x\n"bad flag"$/,
        );
    });
});
