import assert from "node:assert/strict";
import { memberLabel, type NodePromoterPlan } from "../../../../../agents/nodes/promoter/plan";
import { Promoter } from "../../../../../agents/nodes/promoter/promoter";
import { controllersKey, demotedKey, progressKey, requestKey } from "../../../../../agents/nodes/promoter/record";
import type { EtcdClient } from "../../../../../clients/etcd/client";
import type { ApiClient, Call } from "../../../../../clients/kubernetes/api-client";

const role = "node-role.kubernetes.io/control-plane";
const plan: NodePromoterPlan = {
    apiServer: "https://127.0.0.1:6443",
    etcd: "https://127.0.0.1:2379",
    pki: "/pki",
    controllerLabel: role,
    count: 2,
    peerUrls: { "c-0": "https://c-0:2380", "c-1": "https://c-1:2380", "d-0": "https://d-0:2380" },
    candidates: ["d-0"],
    replaceAfter: 60,
};

interface Write {
    readonly path: string;
    readonly method: string;
    readonly body: { readonly metadata?: object; readonly data?: Data; readonly reason?: string } | undefined;
}

type Data = Readonly<Record<string, string | null>>;

/** An API with three nodes and a record, and an etcd whose member c-0 leads. */
class Scene {
    readonly reads: string[] = [];
    readonly writes: Write[] = [];
    readonly removed: string[] = [];
    readonly logged: string[] = [];
    leader = "c-0";
    data: Record<string, string> = {};
    version = "7";
    /** @default - the same as `version` */
    versionNow?: string;
    labels: Record<string, Record<string, string>> = { "c-0": { [role]: "" }, "c-1": { [role]: "" }, "d-0": {} };
    annotations: Record<string, Record<string, string>> = {};
    hasConfig = true;

    readonly promoter: Promoter;

    constructor(own = "c-0") {
        const call = async (path: string, { method = "GET", body }: Call = {}) => this.#answer(path, method, body);
        // The first watch stays open.
        const watch = (path: string, _: unknown, __: number, onOpen: () => void) => {
            this.reads.push(`watch ${path.split("?")[0]}`);
            onOpen();
            return new Promise(() => {});
        };
        const api = { call, watch, reconnect: () => {} } as unknown as ApiClient;
        const members = ["c-0", "c-1"].map((name) => ({
            ID: name,
            name,
            peerURLs: [`https://${name}:2380`],
            clientURLs: [`https://${name}:2379`],
        }));
        const status = async (url: string) => {
            const id = url === plan.etcd ? own : /c-\d/.exec(url)![0];
            return { header: { member_id: id }, leader: this.leader };
        };
        const remove = async (ID: string) => void this.removed.push(ID);
        const moveLeader = async (_: string, ID: string) => {
            this.leader = ID;
        };
        const etcd = { status, members: async () => members, remove, moveLeader } as unknown as EtcdClient;
        this.promoter = new Promoter({ api, etcd, plan }, (line) => void this.logged.push(line));
    }

    #answer(path: string, method: string, body: unknown): never {
        if (method !== "GET") {
            this.writes.push({ path, method, body: body as Write["body"] });
            for (const [key, value] of Object.entries(
                path === configPath ? ((body as { data?: Data }).data ?? {}) : {},
            )) {
                if (value === null) delete this.data[key];
                else this.data[key] = value;
            }
            return {} as never;
        }
        this.reads.push(path.split("?")[0]!);
        const config = { metadata: { name: "controllers", uid: "c", resourceVersion: this.version }, data: this.data };
        if (path.includes("/configmaps?")) return { items: this.hasConfig ? [config] : [], metadata: {} } as never;
        if (path.includes("/configmaps/")) {
            return { metadata: { resourceVersion: this.versionNow ?? this.version } } as never;
        }
        if (path.includes("/pods"))
            return { items: path.includes("etcd-join") ? [{ metadata: { name: "join" } }] : [] } as never;
        const items = Object.entries(this.labels).map(([name, labels]) => ({
            metadata: { name, uid: name, resourceVersion: `of ${name}`, labels, annotations: this.annotations[name] },
            status: { conditions: [{ type: "Ready", status: "True" }] },
        }));
        return { items, metadata: {} } as never;
    }

    set record(entries: Record<string, object>) {
        const since = "2026-11-29T21:00:00Z";
        const all = Object.entries(entries).map(([name, entry]) => [name, { since, why: "so", ...entry }]);
        this.data = { [controllersKey]: JSON.stringify(Object.fromEntries(all)) };
    }
}

const configPath = "/api/v1/namespaces/kube-system/configmaps/controllers";

describe("the node promoter's run", () => {
    it("sends the API nothing but two watches while nothing is wrong", async () => {
        for (const own of ["c-0", "c-1"]) {
            const scene = new Scene(own);
            for (let round = 0; round < 20; round++) assert.equal(await scene.promoter.reconcile(), "calm");
            const lists = own === "c-0" ? [configPath.replace("/controllers", ""), "/api/v1/nodes"] : ["/api/v1/nodes"];
            assert.deepEqual(scene.reads.sort(), [...lists, ...lists.map((path) => `watch ${path}`)].sort());
            assert.deepEqual(scene.writes, []);
        }
    });

    it("acts only next to the leader, or if no agent runs there", async () => {
        const scene = new Scene("c-1");
        scene.data = { [requestKey("d-0")]: "promote" };
        assert.equal(await scene.promoter.reconcile(), "calm");
        assert.deepEqual(scene.writes, []);
        const other = new Scene("c-1");
        other.labels = { ...other.labels, "c-0": {} };
        other.record = { "c-0": { role: "leaving" } };
        assert.equal(await other.promoter.reconcile(), "busy");
        assert.equal(other.leader, "c-1");
    });

    it("records an intention with the version that it was decided from, and reports it", async () => {
        const scene = new Scene();
        scene.data = { [requestKey("d-0")]: "promote" };
        assert.equal(await scene.promoter.reconcile(), "busy");
        const [written, event] = scene.writes as [Write, Write];
        assert.deepEqual([written.path, written.method], [configPath, "PATCH"]);
        assert.deepEqual(written.body?.metadata, { resourceVersion: "7" });
        const { [controllersKey]: text, ...others } = written.body!.data as Record<string, string>;
        const { since, ...entry } = JSON.parse(text!)["d-0"];
        assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
        assert.deepEqual(entry, { role: "joining", why: "requested by an administrator" });
        assert.deepEqual(others, { [demotedKey("d-0")]: null, [requestKey("d-0")]: null });
        assert.equal(event.body?.reason, "ControllerPromotion");
    });

    it("marks a demoted node in the same write", async () => {
        const scene = new Scene();
        scene.data = { [requestKey("c-1")]: "demote" };
        await scene.promoter.reconcile();
        const data = scene.writes[0]!.body!.data as Record<string, string>;
        assert.equal(data[demotedKey("c-1")], "requested by an administrator");
        assert.equal(data[requestKey("c-1")], null);
    });

    it("deletes etcd-join pods before it ends the joining of a node", async () => {
        const scene = new Scene();
        scene.record = { "c-1": { role: "leaving" } };
        scene.labels["c-1"] = { [role]: "", [memberLabel]: "joining" };
        scene.annotations["c-1"] = { "tradewind.dev/leaving": "true" };
        assert.equal(await scene.promoter.reconcile(), "busy");
        assert.deepEqual(
            scene.writes.map(({ method, path }) => `${method} ${path}`),
            ["DELETE /api/v1/namespaces/kube-system/pods/join", "PATCH /api/v1/nodes/c-1"],
        );
        const metadata = { resourceVersion: "of c-1", labels: { [memberLabel]: null }, annotations: {} };
        assert.deepEqual(scene.writes[1]!.body, { metadata });
    });

    it("removes a member only while the record is as it was", async () => {
        for (const [versionNow, removed] of [
            ["8", []],
            ["7", ["c-1"]],
        ] as const) {
            const scene = new Scene();
            scene.record = { "c-1": { role: "leaving" } };
            scene.labels["c-1"] = {};
            scene.annotations["c-1"] = { "tradewind.dev/leaving": "true" };
            scene.versionNow = versionNow;
            await scene.promoter.reconcile();
            assert.deepEqual(scene.removed, removed);
        }
    });

    it("shows what a change waits for, once, and removes it afterwards", async () => {
        const scene = new Scene();
        scene.data = { [requestKey("d-0")]: "promote" };
        scene.labels = { "c-0": { [role]: "" }, "c-1": { [role]: "" } };
        assert.equal(await scene.promoter.reconcile(), "pending");
        assert.equal(await scene.promoter.reconcile(), "pending");
        const why = "d-0 cannot become a controller yet: d-0 has no Node";
        assert.deepEqual(
            scene.writes.splice(0).map(({ body }) => body),
            [{ data: { [progressKey]: why } }],
        );
        assert.deepEqual(scene.logged, [why]);
        delete scene.data[requestKey("d-0")];
        assert.equal(await scene.promoter.reconcile(), "calm");
        assert.equal(await scene.promoter.reconcile(), "calm");
        assert.deepEqual(
            scene.writes.map(({ body }) => body),
            [{ data: { [progressKey]: null } }],
        );
    });

    it("changes nothing without a readable record", async () => {
        const scene = new Scene();
        scene.hasConfig = false;
        assert.equal(await scene.promoter.reconcile(), "pending");
        assert.equal(await scene.promoter.reconcile(), "pending");
        assert.deepEqual(scene.logged, ["retrying: the ConfigMap controllers does not exist"]);
        const damaged = new Scene();
        damaged.data = { [controllersKey]: "{", [requestKey("d-0")]: "promote" };
        await damaged.promoter.reconcile();
        assert.match(damaged.logged.join(), /controllers.json is not JSON/);
        assert.deepEqual(damaged.writes, []);
    });
});
