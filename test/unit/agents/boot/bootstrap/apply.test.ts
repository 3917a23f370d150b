import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../../../../agents/boot/bootstrap/journal";
import type { BootstrapPlan } from "../../../../../agents/boot/bootstrap/plan";
import { applyManifests } from "../../../../../agents/boot/bootstrap/steps/self-hosted-control-plane";
import { ApiClient } from "../../../../../clients/kubernetes/api-client";
import { examplePlan, writeAssets } from "./assets";
import { certificates } from "./certificates";
import { FakeApi, type Refusal } from "./fake-api";
import { FakeServer } from "./fake-server";

describe("applying the manifests", () => {
    let root: string;
    let plan: BootstrapPlan;
    let api: FakeApi;
    let server: FakeServer;

    beforeEach(async () => {
        root = mkdtempSync(join(tmpdir(), "tradewind-apply-"));
        plan = await examplePlan(root);
        writeAssets(plan);
        api = new FakeApi();
        server = new FakeServer(
            "127.0.0.1",
            Number(new URL(plan.apiServer).port),
            (request, response) => void api.serve(request, response),
        );
        server.open();
    });

    afterEach(() => {
        server.kill();
        rmSync(root, { recursive: true });
    });

    const passing: Record<string, Refusal | "hang up"> = {
        "an apiserver that is starting": { status: 503, message: "apiserver not ready" },
        "an internal error": { status: 500, message: "etcdserver: leader changed" },
        "too many requests": { status: 429, message: "try again later" },
        "another writer": { status: 409, message: "the object has been modified" },
        "a dropped connection": "hang up",
    };
    for (const [what, refusal] of Object.entries(passing)) {
        it(`is retried after ${what}`, async () => {
            let left = 2;
            api.refuse = (method) => (method === "PATCH" && left-- > 0 ? refusal : undefined);
            await apply();
            assert.equal(left < 0, true);
        });
    }

    it("waits for a namespace that something else creates", async () => {
        const custom = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late", namespace: "late" } };
        addManifest("015-late.json", custom);
        const { objects, requests } = api;
        const done = apply();
        await waitFor(() => requests.filter((line) => line.includes("/namespaces/late/configmaps/late")).length > 1);
        objects.set("/api/v1/namespaces/late", { kind: "Namespace", metadata: { name: "late" } });
        await done;
        assert.ok(objects.has("/api/v1/namespaces/late/configmaps/late"));
    });

    it("waits for a kind whose definition is being established", async () => {
        const custom = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
        addManifest("015-widget.json", custom);
        const { kinds, objects, requests } = api;
        const done = apply();
        await waitFor(() => requests.filter((line) => line === "GET /apis/example.com/v1").length > 1);
        kinds["/apis/example.com/v1"] = { Widget: { plural: "widgets", namespaced: false } };
        await done;
        assert.ok(objects.has("/apis/example.com/v1/widgets/w"));
    });

    it("waits for a Service address that is still allocated after an apiserver died", async () => {
        const metadata = { name: "kube-dns", namespace: "kube-system" };
        addManifest("015-dns.json", { apiVersion: "v1", kind: "Service", metadata });
        const message = "failed to allocate IP 10.3.0.10: provided IP is already allocated";
        api.kinds["/api/v1"] = { ...api.kinds["/api/v1"], Service: { plural: "services", namespaced: true } };
        let refusals = 2;
        api.refuse = (method, path) =>
            method === "PATCH" && path.includes("kube-dns") && refusals-- > 0 ? { status: 422, message } : undefined;
        await apply();
        assert.ok(api.objects.has("/api/v1/namespaces/kube-system/services/kube-dns"));
        assert.equal(refusals, -1);
    });

    it("fails at once with every object of the group that the API rejects for good", async () => {
        api.refuse = (_, path) =>
            /daemonsets\/.*(manager|scheduler)$/.test(path) ? { status: 422, message: "spec is invalid" } : undefined;
        await assert.rejects(apply(), {
            message:
                "020-kube-controller-manager.json: DaemonSet kube-system/kube-controller-manager: 422: spec is invalid; " +
                "020-kube-scheduler.json: DaemonSet kube-system/kube-scheduler: 422: spec is invalid",
        });
    });

    it("reports the object and the rejection on timeout", async () => {
        api.refuse = (method) => (method === "PATCH" ? { status: 503, message: "not today" } : undefined);
        await assert.rejects(
            apply(0.3),
            /^Error: 000-namespace.json: waited 0 s for Namespace kube-system to be accepted; last seen: 503: not today$/,
        );
    });

    function addManifest(name: string, object: object): void {
        writeFileSync(join(plan.directories.assets, "manifests", name), JSON.stringify(object));
    }

    async function apply(seconds = 5): Promise<void> {
        await applyManifests.run({
            plan,
            api: new ApiClient(plan.apiServer, () => ({ ca: certificates().ca, ...certificates().admin })),
            journal: new Journal(plan.directories.state),
            state: { isApiUp: true, needsCopies: true },
            deadline: performance.now() + seconds * 1000,
            report: () => {},
        });
    }
});

async function waitFor(isTrue: () => boolean): Promise<void> {
    const deadline = performance.now() + 3_000;
    while (!isTrue()) {
        assert.ok(performance.now() < deadline, `waited 3 s for ${isTrue}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
}
