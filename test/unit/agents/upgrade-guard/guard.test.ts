import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leastBaseline, type Sample } from "../../../../agents/upgrade-guard/decide";
import { UpgradeGuard } from "../../../../agents/upgrade-guard/guard";
import { Measurements } from "../../../../agents/upgrade-guard/measure";
import {
    type GuardReport,
    guardedPrograms,
    type Template,
    type UpgradeRecord,
} from "../../../../agents/upgrade-guard/record";
import { TakingBack } from "../../../../agents/upgrade-guard/take-back";
import { WayIn } from "../../../../agents/upgrade-guard/way-in";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { apiError } from "../../../../clients/kubernetes/api-error";
import { upgradeGuardPlan } from "../../../../cluster/manifests/control-plane/upgrade-guard";

const address = "127.70.1.2";

/** @param as - the version that the program emulates, if it is not its own */
function template(program: string, version: string, at = address, as?: string): Template {
    const command = [program, `--bind-address=${at}`, ...(as ? [`--emulated-version=${as}`] : [])];
    const containers = [{ name: program, image: `registry.example/${program}:v${version}`, command }];
    return { metadata: { annotations: { "tradewind.dev/loopback-address": at } }, spec: { containers } } as Template;
}

const templates = (version: string) =>
    Object.fromEntries(guardedPrograms.map((each) => [each, template(each, version)])) as UpgradeRecord["before"];

const idle = { requests: 0, failed: 0, webhookFailures: 0, endedWatches: 0, reads: {}, writes: {} };

const record: UpgradeRecord = {
    id: "a",
    from: "1.36.3",
    to: "1.37.1",
    began: "2026-01-01T00:00:00Z",
    before: templates("1.36.3"),
    soakSeconds: 60,
};

/** A cluster with the three DaemonSets, whose pods follow at once. */
class FakeCluster {
    readonly map: Record<string, string> = {};
    readonly running: Record<string, Template> = { ...templates("1.37.1") };
    readonly restored: string[] = [];
    readonly managers: string[] = [];
    readonly events: string[] = [];
    readonly deleted: unknown[] = [];
    refusesWrites = false;
    requests = 0;
    onRestored = () => {};
    neverReady = (_name: string) => false;

    set(change: Partial<UpgradeRecord> = {}): void {
        this.map["upgrade.json"] = JSON.stringify({ ...record, ...change });
    }

    get report(): GuardReport {
        return JSON.parse(this.map["guard.json"]!);
    }

    /** @param isEarlier - through the earlier kube-apiserver, which takes writes */
    caller(isEarlier = false): Caller {
        return {
            call: async <T>(path: string, call: Call = {}) => {
                this.requests++;
                return this.#answer(path, call, isEarlier) as T;
            },
        };
    }

    /** What a watch of the ConfigMap shows. */
    get watched() {
        return { read: async () => [{ metadata: { name: "tradewind-upgrade" }, data: { ...this.map } }] };
    }

    #answer(path: string, { method = "GET", body }: Call, isEarlier: boolean): unknown {
        if (method !== "GET" && this.refusesWrites && !isEarlier) throw apiError(503, "a fault");
        const [, name = ""] = /daemonsets\/([\w-]+)/.exec(path) ?? [];
        const generation = this.restored.filter((each) => each === name).length + 1;
        if (name && method === "PATCH") {
            const [test, change] = body as { value: unknown }[];
            if (test!.value !== generation) throw apiError(422, "the test failed");
            this.restored.push(name);
            this.managers.push(path.split("fieldManager=")[1]!);
            this.running[name] = change!.value as Template;
            this.onRestored();
            return {};
        }
        if (name) {
            const isReady = !this.neverReady(name);
            const status = {
                ...{ desiredNumberScheduled: 1, updatedNumberScheduled: 1, observedGeneration: generation },
                numberReady: isReady ? 1 : 0,
            };
            return { metadata: { name, generation }, spec: { template: this.running[name] }, status };
        }
        if (path.includes("/configmaps/")) {
            if (method === "PATCH") Object.assign(this.map, (body as { data: object }).data);
            return { data: { ...this.map } };
        }
        if (path.includes("/events")) return this.events.push((body as { message: string }).message);
        if (method === "DELETE") return this.deleted.push(path);
        const broken = { metadata: { name: "kube-apiserver-x" }, spec: template("kube-apiserver", "1.37.1").spec };
        return { items: [broken] };
    }
}

describe("an upgrade guard", () => {
    let home: string;
    let cluster: FakeCluster;
    let now: number;
    let write: number | undefined;
    let hasMetrics: boolean;
    let lines: string[];
    /** By how much the clock was set forward: milliseconds. */
    let skew: number;
    /** Of kube-scheduler, which Measurements excuse while the machine starts. */
    let restarts: number;
    const plan = () => ({
        ...upgradeGuardPlan(),
        directories: { state: home, checkpoints: join(home, "checkpoints"), staticPods: join(home, "manifests") },
    });
    beforeEach(() => {
        home = mkdtempSync(join(tmpdir(), "upgrade-guard-"));
        mkdirSync(join(home, "manifests"));
        [cluster, now, write, hasMetrics, lines, restarts, skew] = [new FakeCluster(), 0, 0.01, true, [], 0, 0];
    });
    afterEach(() => rmSync(home, { recursive: true }));

    function start(measurements?: Measurements, pod = "a"): UpgradeGuard {
        let at = now;
        const take = async (_?: number, isStarting = false): Promise<Sample> => {
            const seconds = (now - at) / 1000;
            at = now;
            const sample = {
                ...{ at: now / 1000, seconds, read: 0.01 },
                ...(write !== undefined && { write }),
                ...(!isStarting && { restarts: { "kube-scheduler": restarts } }),
            };
            return hasMetrics ? { ...sample, delta: idle } : sample;
        };
        return new UpgradeGuard(plan(), {
            api: cluster.caller(),
            watched: { read: () => cluster.watched.read() },
            apiAt: () => cluster.caller(true),
            measurements: measurements ?? { take },
            wayIn: new WayIn(plan().directories),
            node: "c-0",
            pod,
            log: (line) => lines.push(line),
            clock: () => now,
            now: () => now + skew,
        });
    }

    async function run(guard: UpgradeGuard, seconds: number): Promise<void> {
        for (const end = now + seconds * 1000; now < end; ) now += await guard.reconcile();
    }

    async function withBaseline(): Promise<UpgradeGuard> {
        const guard = start();
        await run(guard, leastBaseline * 5 + 60);
        return guard;
    }

    /** As the checkpointer saves it, with an address of its own. */
    function saveCheckpoint(version: string): void {
        const directory = join(home, "checkpoints/kube-system/kube-apiserver", version);
        mkdirSync(directory, { recursive: true });
        const pod = template("kube-apiserver", version, "127.80.1.2");
        writeFileSync(join(directory, "pod.json"), JSON.stringify(pod));
    }

    it("makes at most one request in 20 seconds while there is no upgrade, after the first measurements", async () => {
        let measured = 0;
        const noQueues = {
            read: async () => {
                measured++;
                return {};
            },
        };
        for (const text of [undefined, JSON.stringify({ ...record, isAccepted: true })]) {
            if (text) cluster.map["upgrade.json"] = text;
            const guard = start(new Measurements(cluster.caller(), "c-0", noQueues, () => now));
            await run(guard, 300);
            [cluster.requests, measured] = [0, 0];
            await run(guard, 7_200);
            assert.ok(measured > 0);
            // Each of two programs has the token and the permission of a client reviewed, before it shows its queues.
            const requests = cluster.requests + measured * 4;
            // A watch that ends is opened again, after 48 seconds or more.
            assert.ok(requests / 7_200 + 1 / 48 <= 1 / 20, `${requests} requests in two hours`);
        }
    });

    it("passes an upgrade that made nothing worse, once the soak is over", async () => {
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 30);
        assert.equal(cluster.report.state, "guarding");
        cluster.set({ rolledOut: new Date(now).toISOString() });
        await run(guard, 50);
        assert.equal(cluster.report.state, "guarding");
        await run(guard, 20);
        assert.equal(cluster.report.state, "passed");
        assert.deepEqual(cluster.restored, []);
    });

    it("guards for hours if the soak is as long, and for one hour if the upgrade never ends", async () => {
        const guard = await withBaseline();
        cluster.set({ rolledOut: record.began, soakSeconds: 7_200 });
        await run(guard, 7_100);
        assert.equal(cluster.report.state, "guarding");
        await run(guard, 200);
        assert.equal(cluster.report.state, "passed");
        cluster.set({ id: "b" });
        await run(guard, 3_700);
        assert.equal(cluster.report.undecided, "the upgrade did not end within an hour");
    }).timeout(20_000);

    it("guards for as long as it should, although the clock is set forward or back by an hour", async () => {
        for (const hours of [1, -1]) {
            cluster = new FakeCluster();
            rmSync(join(home, "state.json"), { force: true });
            const guard = await withBaseline();
            cluster.set();
            await run(guard, 30);
            skew += hours * 3_600_000;
            await run(guard, 60);
            assert.equal(cluster.report.state, "guarding");
            cluster.set({ rolledOut: new Date(now).toISOString() });
            await run(guard, 30);
            skew += hours * 3_600_000;
            await run(guard, 20);
            assert.equal(cluster.report.state, "guarding");
            await run(guard, 20);
            assert.equal(cluster.report.state, "passed");
        }
    });

    it("takes an upgrade back although its disk is full, and says so once", async () => {
        saveCheckpoint("1.36.3");
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 10);
        const unwritable = [".state.json.half", ".upgrade-guard-kube-apiserver.json.half"].map((name) =>
            join(home, name),
        );
        for (const path of unwritable) mkdirSync(path);
        [cluster.refusesWrites, write] = [true, undefined];
        await run(guard, 40);
        assert.equal(lines.filter((line) => line.startsWith("its state could not be written: ")).length, 1);
        assert.ok(lines.some((line) => line.startsWith("the earlier kube-apiserver could not be started: ")));
        await run(start(), 10);
        cluster.refusesWrites = false;
        await run(guard, 30);
        assert.equal(cluster.report.state, "rolled-back");
        for (const path of unwritable) rmSync(path, { recursive: true });
        await run(guard, 10);
        assert.equal(JSON.parse(readFileSync(join(home, "state.json"), "utf8")).report.state, "rolled-back");
    });

    it("is undecided if it could not measure for most of the soak", async () => {
        const guard = await withBaseline();
        cluster.set({ rolledOut: record.began });
        hasMetrics = false;
        await run(guard, 90);
        assert.equal(cluster.report.state, "undecided");
        assert.match(cluster.report.undecided!, /^no metrics of kube-apiserver for \d+ s$/);
    });

    it("takes back what got worse: controllers first, as the stack's field manager, and says so", async () => {
        const guard = await withBaseline();
        cluster.set();
        write = 2;
        await run(guard, 60);
        assert.equal(cluster.report.state, "rolled-back");
        const { what, before, after, limit } = cluster.report.breach!;
        assert.deepEqual([what, before, after, limit], ["the guard's writes on c-0", "10 ms", "2000 ms", "1000 ms"]);
        assert.deepEqual(cluster.restored, ["kube-controller-manager", "kube-scheduler", "kube-apiserver"]);
        assert.deepEqual(new Set(cluster.managers), new Set(["tradewind-bootstrap"]));
        assert.deepEqual(cluster.running, record.before);
        assert.match(
            cluster.events.at(-1)!,
            /^the upgrade guard of c-0 took Kubernetes 1\.37\.1 back to 1\.36\.3: .*2000 ms/,
        );
    });

    it("does nothing about an accepted upgrade, or without measurements before it", async () => {
        const guard = await withBaseline();
        cluster.set({ isAccepted: true });
        write = 2;
        await run(guard, 60);
        cluster.set({ id: "b" });
        rmSync(join(home, "state.json"));
        await run(start(), 60);
        assert.deepEqual(cluster.restored, []);
        assert.match(cluster.report.undecided!, /^only 0 of 6 measurements before the upgrade$/);
    });

    it("goes on after a kill at any moment", async () => {
        for (let killedAfter = 0; killedAfter < 40; killedAfter += 1) {
            cluster = new FakeCluster();
            [now, write] = [0, 0.01];
            rmSync(join(home, "state.json"), { force: true });
            const guard = await withBaseline();
            cluster.set();
            write = 2;
            await run(guard, killedAfter);
            await run(start(), 60);
            assert.equal(cluster.report.state, "rolled-back", `${killedAfter}`);
            assert.deepEqual(cluster.running, record.before);
        }
    });

    it("takes restarts for the upgrade's fault, except in the first minute of a machine that starts again", async () => {
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 10);
        restarts = 3;
        const again = start();
        await run(again, 55);
        assert.equal(cluster.report.state, "guarding");
        await run(again, 10);
        assert.equal(cluster.report.breach!.what, "restarts of kube-scheduler on c-0");
    });

    it("takes restarts for the upgrade's fault at once if it was itself rolled out", async () => {
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 10);
        restarts = 3;
        await run(start(undefined, "b"), 5);
        assert.equal(cluster.report.breach!.what, "restarts of kube-scheduler on c-0");
    });

    it("helps a guard of another node that takes an upgrade back", async () => {
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 10);
        cluster.map["guard.json"] = JSON.stringify({ ...cluster.report, state: "rolling-back" });
        await run(guard, 20);
        assert.equal(cluster.report.state, "rolled-back");
        assert.deepEqual(cluster.running, record.before);
    });

    it("starts the earlier kube-apiserver as a static pod if the API refuses writes, and removes it in the end", async () => {
        saveCheckpoint("1.36.3");
        saveCheckpoint("1.37.1");
        const guard = await withBaseline();
        cluster.set();
        await run(guard, 10);
        [cluster.refusesWrites, write] = [true, undefined];
        const file = join(home, "manifests/upgrade-guard-kube-apiserver.json");
        while (!existsSync(file)) await run(guard, 1);
        const pod = JSON.parse(readFileSync(file, "utf8"));
        const [{ image, command }] = pod.spec.containers;
        assert.match(image, /1\.36\.3/);
        const own = pod.metadata.annotations["tradewind.dev/loopback-address"];
        assert.ok(![address, "127.80.1.2"].includes(own), own);
        assert.deepEqual(command, ["kube-apiserver", `--bind-address=${own}`]);
        const began = now;
        await run(guard, 30);
        assert.equal(cluster.report.state, "rolled-back");
        assert.ok(now - began <= 60_000);
        assert.deepEqual(cluster.running, record.before);
        assert.match(`${cluster.deleted[0]}`, /kube-apiserver-x$/);
        assert.ok(!existsSync(file));
    });

    it("says so if there is no copy of the earlier kube-apiserver", async () => {
        saveCheckpoint("1.37.1");
        const guard = await withBaseline();
        cluster.set();
        [cluster.refusesWrites, write] = [true, undefined];
        await run(guard, 60);
        assert.ok(lines.includes("the checkpointer has no copy of the earlier kube-apiserver"), lines.join("\n"));
        cluster.refusesWrites = false;
        await run(guard, 10);
        assert.equal(cluster.report.state, "rolled-back");
    });

    it("ignores a record that another program has overwritten", async () => {
        for (const text of ["", "{", '{"id":"a"}', '{"id":"a","before":{"kube-apiserver":1}}', "[]"]) {
            cluster.map["upgrade.json"] = text;
            await run(start(), 10);
        }
        assert.equal(cluster.map["guard.json"], undefined);
    });

    describe("over several minor versions", () => {
        const from = "1.34.4";
        const to = "1.37.1";
        const before = templates(from);
        const [apiserver, ...controllers] = guardedPrograms;
        const as = (names: readonly string[], minor: string) =>
            Object.fromEntries(names.map((name) => [name, template(name, to, address, minor)]));
        /** As `up` does it: docs/upgrades.md. */
        const way = [
            as([apiserver], "1.34"),
            as([apiserver], "1.35"),
            as(controllers, "1.35"),
            as([apiserver], "1.36"),
            as(controllers, "1.36"),
        ];
        const last = [as([apiserver], "1.37"), as(controllers, "1.37")];
        const minorOf = (name: string) => {
            const { image = "", command = [] } = cluster.running[name]!.spec.containers[0]!;
            const [, own] = /:v1\.(\d+)/.exec(image)!;
            return Number(/--emulated-version=1\.(\d+)/.exec(command.join(" "))?.[1] ?? own);
        };
        let shown: string[];
        const show = () => guardedPrograms.map(minorOf).join();

        /** @param count - rollouts that are done, of `way` and the stack's own */
        function rolledOut(count: number, change: Partial<UpgradeRecord> = {}): void {
            cluster.set({ from, to, before, way: way.slice(0, count), ...change });
            Object.assign(cluster.running, before, ...[...way, ...last].slice(0, count));
            shown = [];
            cluster.onRestored = () => shown.push(show());
        }

        it("undoes each rollout, the latest first, whenever something gets worse", async () => {
            for (let count = 1; count <= way.length + last.length; count++) {
                cluster = new FakeCluster();
                [now, write] = [0, 0.01];
                rmSync(join(home, "state.json"), { force: true });
                const guard = await withBaseline();
                rolledOut(count);
                const began = show();
                write = 2;
                await run(guard, 60);
                assert.equal(cluster.report.state, "rolled-back", `${count}`);
                assert.deepEqual(cluster.running, before);
                let [newest = 0] = began.split(",").map(Number);
                for (const state of shown) {
                    const [api = 0, manager = 0, scheduler = 0] = state.split(",").map(Number);
                    // By Kubernetes' skew policy, also while a rollout is under way.
                    assert.ok(manager <= api && scheduler <= api, `${count}: ${state}`);
                    assert.ok(newest - Math.min(api, manager, scheduler) <= 2, `${count}: ${began} ${shown.join(" ")}`);
                    assert.ok(newest >= api && newest - api <= 1, `${count}: ${state}`);
                    newest = api;
                }
            }
            const all = [
                "37,36,37",
                "37,36,36",
                "36,36,36",
                "36,35,36",
                "36,35,35",
                "35,35,35",
                "35,34,35",
                "35,34,34",
            ];
            assert.deepEqual(shown, [...all, "34,34,34"]);
        });

        it("undoes a rollout that is in the record, but had not begun", async () => {
            const guard = await withBaseline();
            rolledOut(3, { way: way.slice(0, 4) });
            write = 2;
            await run(guard, 60);
            assert.deepEqual(shown, ["35,34,35", "35,34,34", "34,34,34"]);
        });

        it("does so with other guards, which may be late, and after kills", async () => {
            const guards = [await withBaseline()];
            rolledOut(way.length + last.length);
            write = 2;
            await run(guards[0]!, 30);
            while (cluster.report.state !== "rolled-back") {
                guards.push(start());
                await Promise.all(guards.slice(-3).map((guard) => guard.reconcile()));
                now += 1_000;
                assert.ok(now < 600_000);
            }
            assert.deepEqual(cluster.running, before);
            const minors = shown.map((state) => state.split(",").reduce((sum, each) => sum + Number(each), 0));
            assert.ok(
                minors.every((sum, index) => index === 0 || sum < minors[index - 1]!),
                shown.join(" "),
            );
        });

        it("does not make anything newer if another guard has continued meanwhile", async () => {
            rolledOut(way.length + last.length);
            const guard = () => new TakingBack({ before, way }, "manager", () => now);
            const other = guard();
            const api = cluster.caller();
            const late: Caller = {
                call: async <T>(path: string, call?: Call) => {
                    if (call?.method === "PATCH") while (!(await other.act(api)));
                    return api.call<T>(path, call);
                },
            };
            assert.equal(await guard().act(late), false);
            assert.deepEqual(cluster.running, before);
            assert.equal(shown.at(-1), "34,34,34");
        });

        it("waits for each rollout, but not for one that makes no progress for half a minute", async () => {
            const guard = await withBaseline();
            rolledOut(way.length + last.length);
            write = 2;
            cluster.neverReady = (name) => name === apiserver && minorOf(name) === 36;
            await run(guard, 50);
            assert.equal(shown.at(-1), "36,36,36");
            await run(guard, 30);
            assert.equal(cluster.report.state, "rolled-back");
        });

        it("restores the earlier version at once through its kube-apiserver if the API refuses writes", async () => {
            // The checkpointer keeps the newest three copies.
            const [{ metadata, spec }] = [template(apiserver, to, "127.80.1.2", "1.36")];
            const directory = join(home, "checkpoints/kube-system/kube-apiserver/a");
            mkdirSync(directory, { recursive: true });
            writeFileSync(
                join(directory, "pod.json"),
                JSON.stringify({ metadata, spec: { ...spec, hostNetwork: true } }),
            );
            const guard = await withBaseline();
            rolledOut(way.length + last.length);
            await run(guard, 10);
            [cluster.refusesWrites, write] = [true, undefined];
            const file = join(home, "manifests/upgrade-guard-kube-apiserver.json");
            while (!existsSync(file)) await run(guard, 1);
            const pod = JSON.parse(readFileSync(file, "utf8"));
            const own = pod.metadata.annotations["tradewind.dev/loopback-address"];
            assert.ok(![address, "127.80.1.2"].includes(own), own);
            const earlier = template(apiserver, from, own).spec.containers;
            assert.deepEqual(pod.spec, { containers: earlier, hostNetwork: true });
            await run(guard, 30);
            assert.equal(cluster.report.state, "rolled-back");
            assert.deepEqual(shown, ["37,34,37", "37,34,34", "34,34,34"]);
            assert.deepEqual(cluster.running, before);
        });
    });
});
