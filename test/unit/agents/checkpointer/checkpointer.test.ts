import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { Checkpointer } from "../../../../agents/checkpointer/checkpointer";
import { defaultTimings, type Timings } from "../../../../agents/checkpointer/plan";
import { damageOf } from "../../../../agents/checkpointer/seal";
import type { RuntimePod } from "../../../../clients/containerd/pods";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import { checkpointerPlan } from "../../../../cluster/manifests/control-plane/checkpointer";
import { fixedCluster } from "../../components/in-cluster/fixture";
import { damages } from "../../damages";
import { layOut, scratch, startedAt } from "./example";

const asked = { "tradewind.dev/checkpoint": "true" };
const set = { "controller-revision-hash": "5c8" };

/** A pod of a DaemonSet as the API lists it. */
function listed(namespace: string, name: string, uid: string, fields: object): NodePod {
    const owner = { kind: "DaemonSet", name: name.slice(0, -6), controller: true };
    return {
        metadata: { name, namespace, uid, labels: set, annotations: asked, ownerReferences: [owner] },
        spec: { containers: [{ name: "c", image: "i", command: ["run"] }], ...fields },
        status: {
            phase: "Running",
            conditions: [{ type: "Ready", status: "True" }],
            containerStatuses: [{ name: "c", ready: true, state: { running: { startedAt } } }],
        },
    };
}

const alive = ({ metadata: { name, namespace, uid, annotations }, spec }: NodePod): RuntimePod => ({
    name,
    namespace,
    uid,
    labels: set,
    annotations: { ...annotations, "kubernetes.io/config.source": "api" },
    isAlive: true,
    running: spec.containers.map((container) => container.name),
});

describe("a running checkpointer", () => {
    const self = listed("kube-system", "checkpointer-abcde", "own", {});
    const secret = { name: "credentials", secret: { secretName: "web" } };
    const web = listed("kube-system", "web-abcde", "uid-1", { volumes: [secret] });
    const refused = listed("kube-system", "odd-abcde", "uid-2", { volumes: [{ name: "v", projected: {} }] });
    let root: string;
    /** With its own address, so that its copy may run alongside it. */
    const twin: NodePod = {
        ...web,
        metadata: { ...web.metadata, annotations: { ...asked, "tradewind.dev/loopback-address": "127.64.1.1" } },
    };
    const runTwin = () => ([pods, runtime] = [[self, twin], [self, twin].map(alive)]);
    const containers = ["c", "proxy"].map((name) => ({ name, image: "i", command: ["run"] }));
    /** With two containers. */
    const pair: NodePod = { ...web, spec: { ...web.spec, containers } };
    const runPair = () => ([pods, runtime] = [[self, pair], [self, pair].map(alive)]);
    let pods: NodePod[] | "down";
    /** What a watch reports, if it is late. */
    let watched: NodePod[] | undefined;
    let lists: string[];
    let runtime: RuntimePod[] | "down";
    let unplanned: string | undefined;
    let hasRole: boolean;
    let isLeaving: boolean;
    let isReady: boolean;
    let removed: string[];
    let hasNode: boolean;
    let onNode: string | undefined;
    let published: string[];
    let log: string[];
    let checkpointer: Checkpointer;

    function start(ownUid = "own", timings: Partial<Timings> = {}): Checkpointer {
        const directories = {
            checkpoints: join(root, "checkpoints"),
            staticPods: join(root, "manifests"),
            state: root,
            kubeletPods: join(root, "pods"),
        };
        const atOnce = Object.fromEntries(Object.keys(defaultTimings).map((name) => [name, 0]));
        const plan = {
            ...checkpointerPlan(fixedCluster()),
            parents: ["kube-system/web", "kube-system/odd", "kube-system/checkpointer"].filter(
                (each) => each !== unplanned,
            ),
            expects: ["kube-system/web"],
            directories,
            timings: { ...atOnce, ...timings },
        };
        const answer = async <T>(value: T | "down"): Promise<T> => {
            if (value === "down") throw new Error("connection refused");
            return value as T;
        };
        return new Checkpointer({
            plan,
            ownUid,
            runtime: () => answer(runtime),
            api: {
                pods: (isWatched = false) => {
                    lists.push(isWatched ? "watched" : "listed");
                    return answer(isWatched ? (watched ?? pods) : pods);
                },
                node: () =>
                    answer(
                        pods === "down"
                            ? "down"
                            : hasNode
                              ? { isLeaving, hasRole, isReady, status: onNode }
                              : undefined,
                    ),
                publish: async (status) => {
                    published.push(status);
                    onNode = status;
                },
                remove: async ({ metadata }) => {
                    removed.push(metadata.name);
                    if (pods !== "down") pods = pods.filter((pod) => pod.metadata.name !== metadata.name);
                },
            },
            log: (line) => log.push(line),
        });
    }

    const copies = () => readdirSync(join(root, "manifests")).sort();
    const status = () => JSON.parse(readFileSync(join(root, "status.json"), "utf8"));
    const own = "checkpoint-kube-system.checkpointer.json";
    const webs = "checkpoint-kube-system.web.json";
    const observe = async (times = 1) => {
        for (let time = 0; time < times; time++) await checkpointer.reconcile();
    };

    beforeEach(async () => {
        root = scratch();
        mkdirSync(join(root, "manifests"));
        layOut(join(root, "pods"), { plugin: "kubernetes.io~secret", name: "credentials" }, { key: "secret" });
        pods = [self, web, refused];
        runtime = pods.map(alive);
        [watched, lists] = [undefined, []];
        [unplanned, hasRole] = [undefined, true];
        isLeaving = false;
        [isReady, removed] = [true, []];
        [hasNode, onNode, published] = [true, undefined, []];
        log = [];
        checkpointer = start();
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is ready once it has a checkpoint of itself and of all expected parents", async () => {
        assert.equal(checkpointer.missing(), "no checkpoint of kube-system/checkpointer, kube-system/web");
        await observe(2);
        assert.equal(checkpointer.missing(), undefined);
        assert.deepEqual(copies(), [own]);
    });

    describe("while nothing happens", () => {
        beforeEach(async () => {
            await observe(3);
            lists = [];
        });

        it("lists its pods once a minute, and uses what a watch reports in between", async () => {
            assert.equal(await checkpointer.reconcile(true), "calm");
            assert.equal(await checkpointer.reconcile(true), "calm");
            const now = performance.now();
            const clock = mock.method(performance, "now", () => now + 61_000);
            try {
                assert.equal(await checkpointer.reconcile(true), "calm");
            } finally {
                clock.mock.restore();
            }
            assert.deepEqual(lists, ["watched", "watched", "listed"]);
        });

        it("lists them at once if the watch reports a change, and acts on the list only", async () => {
            watched = [self, refused];
            assert.equal(await checkpointer.reconcile(true), "calm");
            assert.deepEqual(lists, ["watched", "listed"]);
            assert.deepEqual([copies(), removed], [[own], []]);
        });

        it("lists them if a pod was added or removed, however late the watch is", async function () {
            this.timeout(10_000);
            watched = pods as NodePod[];
            const replaced = { ...web, metadata: { ...web.metadata, uid: "uid-3" } };
            const isOver = async () => {
                if (lists.length === 1) {
                    pods = [self, replaced, refused];
                    runtime = pods.map(alive);
                }
                return lists.length === 2;
            };
            await checkpointer.run(isOver);
            assert.deepEqual(lists, ["listed", "listed"]);
        });
    });

    describe("updated", () => {
        const later = { settle: 1000, settleAfterCrash: 1000 };
        const isOlder = "the checkpoint of kube-system/checkpointer was saved from another pod";
        const updated = (fields: object = { containers: [{ name: "c", image: "newer", command: ["run"] }] }) => {
            const pod = listed("kube-system", "checkpointer-fghij", "new", fields);
            [pods, runtime] = [[pod, web], [pod, web].map(alive)];
            return pod;
        };
        const saved = () => status()["kube-system/checkpointer"].checkpoint.generation;

        it("is ready once its own checkpoint is written, not with that of the previous pod", async () => {
            await observe(2);
            const before = saved();
            updated();
            checkpointer = start("new", later);
            await observe(3);
            assert.equal(checkpointer.missing(), isOlder);
            checkpointer = start("new");
            assert.equal(checkpointer.missing(), "no checkpoint of kube-system/checkpointer, kube-system/web");
            await observe(2);
            assert.equal(checkpointer.missing(), undefined);
            assert.notEqual(saved(), before);
        });

        it("is ready at once if the checkpoint is the same, as after a reboot that recreated pods", async () => {
            await observe(2);
            updated({});
            checkpointer = start("new", later);
            await observe();
            assert.equal(checkpointer.missing(), undefined);
        });

        it("is ready with its own checkpoint while the API is down, as after a power cut", async () => {
            await observe(2);
            pods = "down";
            checkpointer = start("own", later);
            await observe();
            assert.equal(checkpointer.missing(), undefined);
        });

        it("is ready after working for a while if it has crashed before, since its checkpoint takes much longer then", async () => {
            await observe(2);
            const pod = updated();
            Object.assign(pod.status!.containerStatuses![0]!, { restartCount: 1 });
            checkpointer = start("new", later);
            await observe(2);
            assert.equal(checkpointer.missing(), isOlder);
            checkpointer = start("new", { ...later, settle: 0 });
            await observe(2);
            assert.equal(checkpointer.missing(), undefined);
        });

        it("reports why its own checkpoint can't be written", async () => {
            await observe(2);
            updated({ volumes: [{ name: "v", projected: {} }] });
            checkpointer = start("new");
            await observe(2);
            assert.equal(checkpointer.missing(), `${isOlder}: volume v is projected, which needs the API`);
        });
    });

    it("rests when all is well, and publishes that once", async () => {
        await observe(2);
        assert.equal(await checkpointer.reconcile(), "calm");
        const last = published.at(-1)!;
        await observe(3);
        assert.equal(published.at(-1), last);
        assert.equal(published.filter((text) => text === last).length, 1);
        assert.deepEqual(JSON.parse(last), status());
        const { runs, checkpoint } = status()["kube-system/web"];
        assert.equal(runs, "api");
        assert.match(checkpoint.generation, /^[0-9a-f]{16}$/);
    });

    it("removes DaemonSet pods left by a shutdown, once it is over", async () => {
        const left = listed("kube-system", "kube-proxy-rejec", "left", {});
        pods = [self, web, { ...left, status: { phase: "Failed", reason: "NodeShutdown" } }];
        isReady = false;
        await observe();
        assert.deepEqual(removed, []);
        isReady = true;
        await observe(2);
        assert.deepEqual(removed, ["kube-proxy-rejec"]);
        assert.ok(log.includes("kube-system/kube-proxy-rejec: removed; it was terminated when the machine shut down"));
    });

    describe("on a full disk", () => {
        /** Makes a file or link impossible to write. */
        const block = (...path: string[]) => mkdirSync(join(root, ...path));
        const lines = (pattern: RegExp) => log.filter((line) => pattern.test(line)).length;

        it("publishes its status to the Node, and removes pods left by a shutdown", async () => {
            block(".status.json.half");
            const left = listed("kube-system", "kube-proxy-rejec", "left", {});
            pods = [self, web, { ...left, status: { phase: "Failed", reason: "NodeShutdown" } }];
            await observe(3);
            assert.equal(checkpointer.missing(), undefined);
            assert.ok(JSON.parse(published.at(-1)!)["kube-system/web"].checkpoint);
            assert.deepEqual(removed, ["kube-proxy-rejec"]);
            assert.equal(lines(/^could not write its status: /), 1);
            rmSync(join(root, ".status.json.half"), { recursive: true });
            await observe();
            assert.deepEqual(status(), JSON.parse(published.at(-1)!));
        });

        it("says once that it cannot save a pod, and does not hurry to try again", async () => {
            block("checkpoints/kube-system");
            writeFileSync(join(root, "checkpoints/kube-system/web"), "");
            let now = 0;
            mock.method(performance, "now", () => now);
            try {
                await observe(2);
                now = 70_000;
                assert.equal(await checkpointer.reconcile(), "lasting");
            } finally {
                mock.restoreAll();
            }
            assert.equal(lines(/^kube-system\/web: save failed: /), 1);
            assert.deepEqual(copies(), [own]);
        });

        it("starts copies although a damaged checkpoint of another parent cannot be replaced", async () => {
            await observe(2);
            const home = "checkpoints/kube-system/checkpointer";
            const before = readlinkSync(join(root, home, "current"));
            const [container] = self.spec.containers;
            const newer = { ...self, spec: { containers: [{ ...container!, image: "newer" }] } };
            [pods, runtime] = [[newer, web], [newer, web].map(alive)];
            await observe(2);
            const after = readlinkSync(join(root, home, "current"));
            assert.notEqual(after, before);
            writeFileSync(join(root, home, after, "pod.json"), "");
            block(home, ".current.half");
            [pods, runtime] = ["down", []];
            checkpointer = start();
            await observe(2);
            assert.deepEqual(copies(), [own, webs]);
        });
    });

    it("publishes to a Node that was registered again, and not to a missing one", async () => {
        await observe(3);
        const last = published.at(-1)!;
        [hasNode, onNode, published] = [false, undefined, []];
        await observe(2);
        assert.deepEqual(published, []);
        hasNode = true;
        await observe(2);
        assert.deepEqual(published, [last]);
    });

    it("reports why it can't save a pod", async () => {
        await observe(2);
        assert.deepEqual(status()["kube-system/odd"], {
            runs: "api",
            refused: "volume v is projected, which needs the API",
        });
    });

    it("starts the copy of a pod one of whose containers a restarted kubelet does not know, and stops it for the pod", async () => {
        runPair();
        await observe(2);
        [pods, runtime] = ["down", [alive(self), { ...alive(pair), running: ["proxy"] }]];
        checkpointer = start("own", { idleAlone: 3600 });
        await observe(3);
        assert.deepEqual(copies(), [own]);
        assert.equal(status()["kube-system/web"].runs, "api");
        checkpointer = start();
        await observe(3);
        assert.deepEqual(copies(), [own, webs]);
        assert.equal(status()["kube-system/web"].runs, "checkpoint");
        runPair();
        await observe(2);
        assert.deepEqual(copies(), [own]);
    });

    it("saves a pod that has a container less", async () => {
        runPair();
        await observe(2);
        const { generation } = status()["kube-system/web"].checkpoint;
        const next: NodePod = {
            ...web,
            metadata: { ...web.metadata, uid: "uid-2" },
            spec: { containers: [containers[0]!] },
        };
        [pods, runtime] = [[self, next], [self, next].map(alive)];
        await observe(2);
        assert.notEqual(status()["kube-system/web"].checkpoint.generation, generation);
    });

    it("starts a copy after a power cut, records that on the disk, and stops it when the pod runs again", async () => {
        await observe(2);
        const running = runtime;
        [pods, runtime] = ["down", []];
        checkpointer = start();
        await observe(2);
        assert.deepEqual(copies(), [own, webs]);
        assert.equal(status()["kube-system/web"].runs, "checkpoint");
        assert.equal(status()["kube-system/checkpointer"].runs, "checkpoint");
        const [volume] = JSON.parse(readFileSync(join(root, "manifests", webs), "utf8")).spec.volumes;
        assert.equal(readFileSync(join(volume.hostPath.path, "key"), "utf8"), "secret");
        [pods, runtime] = [[self, web, refused], running];
        await observe(2);
        assert.deepEqual(copies(), [own]);
    });

    it("does nothing while the container runtime does not answer", async () => {
        await observe(2);
        runtime = "down";
        await observe(3);
        pods = "down";
        await observe(3);
        assert.deepEqual(copies(), [own]);
        assert.equal(status()["kube-system/web"].runs, "unknown");
        assert.equal(log.filter((line) => line.includes("the container runtime: connection refused")).length, 2);
    });

    it("forgets a parent that the plan does not name, and no other", async () => {
        await observe(2);
        unplanned = "kube-system/web";
        checkpointer = start();
        await observe(2);
        assert.deepEqual(readdirSync(join(root, "checkpoints/kube-system")), ["checkpointer"]);
        assert.deepEqual(copies(), [own]);
    });

    it("keeps a copy of a parent whose DaemonSet and pods are missing", async () => {
        await observe(2);
        [pods, runtime] = [[self], [alive(self)]];
        await observe(2);
        assert.deepEqual(copies(), [own, webs]);
    });

    for (const [what, lose] of [
        ["is missing", () => (hasNode = false)],
        ["has lost its role", () => (hasRole = false)],
    ] as const) {
        it(`starts its copies before the pods end if the Node ${what}, and keeps them until it is back`, async () => {
            runTwin();
            await observe(2);
            lose();
            await observe(2);
            assert.deepEqual(copies(), [own, webs], "next to the pod");
            assert.deepEqual(removed, ["web-abcde"], "with its full grace period");
            [pods, runtime] = [[], []];
            await observe(3);
            assert.deepEqual(copies(), [own, webs]);
            assert.deepEqual(readdirSync(join(root, "checkpoints/kube-system")).sort(), ["checkpointer", "web"]);
            [hasNode, hasRole] = [true, true];
            [pods, runtime] = [[self, twin], [self, twin].map(alive)];
            await observe(2);
            assert.deepEqual(copies(), [own]);
        });
    }

    it("keeps a copy next to a serving pod that the API is terminating", async () => {
        runTwin();
        await observe(2);
        hasNode = false;
        await observe(1);
        hasNode = true;
        const ending = { ...twin, metadata: { ...twin.metadata, deletionTimestamp: startedAt } };
        pods = [self, ending];
        await observe(3);
        assert.deepEqual(copies(), [own, webs]);
    });

    it("keeps nothing on a node being removed, starts nothing there if the API goes down, and saves again if it stays", async () => {
        await observe(2);
        isLeaving = true;
        await observe(2);
        assert.deepEqual(readdirSync(join(root, "checkpoints/kube-system")), ["checkpointer"]);
        assert.equal(checkpointer.missing(), undefined);
        const running = runtime;
        [pods, runtime] = ["down", []];
        checkpointer = start();
        await observe(3);
        assert.deepEqual(copies(), [own]);
        [pods, runtime, isLeaving] = [[self, web, refused], running, false];
        await observe(2);
        assert.equal(checkpointer.missing(), undefined);
        assert.equal(readdirSync(join(root, "checkpoints/kube-system")).length, 2);
    });

    describe("with a damaged checkpoint", () => {
        const home = () => join(root, "checkpoints/kube-system/web");
        const current = () => readlinkSync(join(home(), "current"));
        const installed = () => {
            const { annotations } = JSON.parse(readFileSync(join(root, "manifests", webs), "utf8")).metadata;
            return annotations["tradewind.dev/checkpoint-generation"];
        };
        /** Saves one or two generations, and returns them. */
        const save = async (count: number) => {
            const generations: string[] = [];
            for (let number = 0; number < count; number++) {
                const last = number === count - 1;
                const pod = last
                    ? web
                    : { ...web, spec: { ...web.spec, containers: [{ ...web.spec.containers[0]!, image: "old" }] } };
                [pods, runtime] = [[self, pod], [self, pod].map(alive)];
                await observe(2);
                generations.push(current());
            }
            return generations.reverse();
        };
        const files = ["checkpoint.json", "pod.json", "sha256sums", "volumes/credentials/key"];
        for (const file of files) {
            for (const [what, damage] of Object.entries(damages)) {
                for (const count of [2, 1]) {
                    const has = `${file} ${what}, ${count === 2 ? "with" : "without"} a previous one`;

                    it(`rewrites it from its pod while the API serves: ${has}`, async () => {
                        const [last] = await save(count);
                        published = [];
                        damage(join(home(), last!, file));
                        checkpointer = start();
                        await observe(2);
                        assert.equal(current(), last);
                        assert.deepEqual(damageOf(home(), last!), []);
                        assert.equal(status()["kube-system/web"].damaged, undefined);
                        assert.equal(checkpointer.missing(), undefined);
                        assert.ok(log.some((line) => line.startsWith(`kube-system/web: ${last}/${file} is `)));
                        assert.deepEqual(copies(), [own]);
                    });

                    it(`starts the previous one, or none, while the API is down, and says so: ${has}`, async () => {
                        const [last, previous] = await save(count);
                        damage(join(home(), last!, file));
                        [pods, runtime] = ["down", []];
                        checkpointer = start();
                        await observe(3);
                        const [line] = status()["kube-system/web"].damaged;
                        assert.ok(line.startsWith(`${last}/${file} is `), line);
                        assert.equal(
                            checkpointer
                                .metrics()
                                .find(({ name }) => name === "tradewind_checkpoint_damaged_files")
                                ?.samples.find(({ labels }) => labels?.parent === "kube-system/web")?.value,
                            1,
                        );
                        if (previous === undefined) {
                            assert.deepEqual(copies(), [own]);
                            assert.equal(checkpointer.missing(), "no checkpoint of kube-system/web");
                            assert.ok(!log.some((each) => each.includes("failed")), log.join("\n"));
                        } else {
                            assert.deepEqual(copies(), [own, webs]);
                            assert.equal(installed(), previous);
                        }
                        [pods, runtime] = [[self, web], [self, web].map(alive)];
                        await observe(3);
                        assert.equal(current(), last);
                        assert.deepEqual(damageOf(home(), last!), []);
                        assert.deepEqual(copies(), [own]);
                    });
                }
            }
        }

        it("rewrites it soon although a power cut has restarted its pod's containers, but saves nothing new of such a pod", async () => {
            const soon = { settle: 0, settleAfterCrash: 1000 };
            const restarted = { ...web, status: structuredClone(web.status!) };
            Object.assign(restarted.status.containerStatuses![0]!, { restartCount: 1 });
            const [last, previous] = await save(2);
            writeFileSync(join(home(), last!, "pod.json"), "");
            checkpointer = start("own", soon);
            [pods, runtime] = [[self, restarted], [self, restarted].map(alive)];
            await observe(2);
            assert.equal(current(), last);
            assert.deepEqual(damageOf(home(), last!), []);
            rmSync(join(home(), last!), { recursive: true });
            checkpointer = start("own", soon);
            await observe(2);
            assert.equal(current(), previous);
        });

        it("starts none that was damaged since it was last checked", async () => {
            const [last, previous] = await save(2);
            writeFileSync(join(home(), last!, "pod.json"), "");
            [pods, runtime] = ["down", []];
            await observe(3);
            assert.equal(installed(), previous);
        });

        it("replaces its own copy by that of the previous one while the API is down", async () => {
            await observe(2);
            const before = status()["kube-system/checkpointer"].checkpoint.generation;
            const updated = { ...self, spec: { containers: [{ name: "c", image: "newer", command: ["run"] }] } };
            [pods, runtime] = [[updated, web], [updated, web].map(alive)];
            await observe(2);
            const { generation } = status()["kube-system/checkpointer"].checkpoint;
            assert.notEqual(generation, before);
            rmSync(join(root, "checkpoints/kube-system/checkpointer", generation, "pod.json"));
            [pods, runtime] = ["down", []];
            checkpointer = start();
            await observe(2);
            const { annotations } = JSON.parse(readFileSync(join(root, "manifests", own), "utf8")).metadata;
            assert.equal(annotations["tradewind.dev/checkpoint-generation"], before);
        });
    });

    it("publishes when it last reported, again once that is five minutes ago", async () => {
        await observe(3);
        const count = published.length;
        const now = performance.now();
        const clock = mock.method(performance, "now", () => now + 301_000);
        try {
            await observe();
            assert.equal(published.length, count + 1);
            await observe();
            assert.equal(published.length, count + 1);
        } finally {
            clock.mock.restore();
        }
    });

    it("saves the others if one can't be saved", async () => {
        // A file in place of a directory.
        mkdirSync(join(root, "checkpoints/kube-system"), { recursive: true });
        writeFileSync(join(root, "checkpoints/kube-system/web"), "");
        await observe(2);
        assert.deepEqual(copies(), [own]);
        assert.ok(log.some((line) => line.startsWith("kube-system/web: save failed: ")));
    });
});
