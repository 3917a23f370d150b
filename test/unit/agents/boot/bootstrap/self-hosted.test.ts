import assert from "node:assert/strict";
import type { SelfHostedComponent } from "../../../../../agents/boot/bootstrap/plan";
import { componentProblem } from "../../../../../agents/boot/bootstrap/self-hosted";
import { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { addressAnnotation } from "../../../../../clients/kubernetes/loopback";
import type { Pod } from "../../../../../clients/kubernetes/objects";
import { examplePlan } from "./assets";
import { FakeServer } from "./fake-server";

describe("a self-hosted component", () => {
    let component: SelfHostedComponent;
    let own: FakeServer;
    let listener: FakeServer;
    let status: number;

    beforeEach(async () => {
        component = (await examplePlan("/")).selfHosted[0]!;
        status = 200;
        own = new FakeServer(
            component.address,
            component.port,
            (_, response) => void response.writeHead(status).end("[+]ping ok\n[-]etcd failed\n"),
        );
        listener = new FakeServer(
            component.address,
            component.listener?.port ?? 0,
            (_, response) => void response.end(),
            "http",
        );
    });

    afterEach(() => {
        own.kill();
        listener.kill();
    });

    const look = (pods: Pod[], isPivoted = false) => {
        const api = new ApiClient("https://127.0.0.1:1", () => ({ ca: "", cert: "", key: "" }));
        return componentProblem(api, component, pods, isPivoted);
    };

    const pod = (name: string, address = component.address, isReady = true): Pod => ({
        spec: { containers: [] },
        metadata: {
            name,
            annotations: { [addressAnnotation]: address },
            ownerReferences: [{ kind: "DaemonSet", name: "kube-apiserver" }],
        },
        status: { phase: "Running", conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
    });

    it("serves if its pod is Ready and its process and its listener answer", async () => {
        own.open();
        listener.open();
        assert.equal(await look([pod("a")]), undefined);
    });

    it("does not serve if its pod's Ready condition predates a power cut", async () => {
        assert.match(
            (await look([pod("a")])) ?? "",
            /^kube-apiserver: https:\/\/127\.\S+\/readyz refuses connections$/,
        );
    });

    it("does not serve before its listener has the shared address", async () => {
        own.open();
        assert.match((await look([pod("a")])) ?? "", /^kube-apiserver: http:\/\/127\.\S+\/up refuses connections$/);
    });

    it("does not serve while its own checks fail, and lists the failed ones", async () => {
        status = 500;
        own.open();
        listener.open();
        assert.match((await look([pod("a")])) ?? "", /\/readyz answers 500: \[-\]etcd failed$/);
    });

    it("serves as soon as its process does: its pod is Ready a second later", async () => {
        own.open();
        listener.open();
        assert.equal(await look([pod("a", component.address, false)]), undefined);
    });

    it("does not serve with the process of a pod that is terminating", async () => {
        own.open();
        listener.open();
        const { metadata, ...rest } = pod("a");
        const ending = { ...rest, metadata: { ...metadata, deletionTimestamp: "now" } };
        assert.equal(await look([ending]), "a: is terminating");
        assert.equal(await look([ending, pod("b", component.address, false)]), undefined);
    });

    it("says what its pod waits for", async () => {
        assert.match((await look([pod("a", component.address, false)])) ?? "", /^a: /);
    });

    it("is probed at the address of its current generation once the cluster has pivoted", async () => {
        const { address } = component;
        component = { ...component, address: "127.9.9.9" };
        own.open();
        listener.open();
        assert.equal(await look([pod("a", address)], true), undefined);
        // Before that, a pod of another generation does not belong to the bootstrap: it queries the API for the
        // DaemonSet.
        assert.match((await look([pod("a", address)])) ?? "", /^kube-apiserver: connect ECONNREFUSED 127\.0\.0\.1:1$/);
    });
});
